import { createDialect, type Dialect } from '../src/machinery/dialect.ts';
import { benchPod, podsPath } from './bench-pod.ts';
import type { LoadProtocol } from './closed-loop.ts';
import { encodeRequest, type RawRequest } from './raw-request.ts';

/** One measured part of the benchmark. */
export type Phase = RequestPhase | WatchPhase;

interface PhaseBase {
  readonly protocol: LoadProtocol;
  readonly name: string;
  readonly clients: number;
  readonly count: number;
}

/** Requests over some connections, each with one request at a time. */
export interface RequestPhase extends PhaseBase {
  readonly kind: 'requests';
  /** Bytes of the request with this index. */
  readonly requestFor: (index: number) => Buffer;
}

/** Changes of one pod that `clients` watches see. */
export interface WatchPhase extends PhaseBase {
  readonly kind: 'watch';
  /** Each change waits until all watches have seen the one before; else changes follow one another at once. */
  readonly isInStep: boolean;
}

/** How much is done. */
export interface Sizes {
  readonly listedPods: number;
  readonly lists: number;
  readonly selectedLists: number;
  readonly singleWrites: number;
  readonly writes: number;
  readonly singleGets: number;
  readonly gets: number;
  readonly watchers: number;
  readonly watchedWrites: number;
}

export type ProfileName = 'full' | 'quick' | 'large';

/** `quick` is enough to see that everything works, `large` shows what many objects and watchers cost. */
export const profiles: Readonly<Record<ProfileName, Sizes>> = {
  full: {
    listedPods: 2000,
    lists: 200,
    selectedLists: 1000,
    singleWrites: 1500,
    writes: 8000,
    singleGets: 5000,
    gets: 40_000,
    watchers: 300,
    watchedWrites: 200,
  },
  quick: {
    listedPods: 200,
    lists: 10,
    selectedLists: 50,
    singleWrites: 50,
    writes: 200,
    singleGets: 100,
    gets: 1000,
    watchers: 20,
    watchedWrites: 10,
  },
  large: {
    listedPods: 100_000,
    lists: 4,
    selectedLists: 20,
    singleWrites: 500,
    writes: 8000,
    singleGets: 2000,
    gets: 20_000,
    watchers: 1000,
    watchedWrites: 100,
  },
};

const clients = 64;
const listClients = 4;
const pageSize = 500;
/** Requests for a few pods are made once and sent again and again. */
const distinctGets = 2000;
const mergePatch = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';
/** Pods that are applied, first anew and then over and over without a change. */
const distinctApplies = 500;
const pathOf = (name: string, index: number): string => `${podsPath}/${name}-${index}`;

export const updateName = 'update pod';
export const getName = `get pod, ${clients} clients`;
/** Makes the pods that later phases use. */
const fillName = ({ listedPods }: Sizes): string => `fill with ${listedPods} pods`;

/** What the requests of all phases depend on. */
export interface PhaseServer {
  /** Sent where it is given. */
  readonly token: string | undefined;
  /** How the server spells product names. */
  readonly dialect: Dialect['name'];
}

/** The phases in order. The first makes the pods that the others read and change. */
export function phasesOf(sizes: Sizes, { token, dialect }: PhaseServer): readonly Phase[] {
  const { group, protobufMediaType } = createDialect(dialect);
  const table = `application/json;as=Table;v=v1;g=${group('meta')}`;
  const { listedPods, lists, selectedLists, singleWrites, writes, watchers, watchedWrites } = sizes;
  const encode = (path: string, request: RawRequest = {}) => encodeRequest(path, { ...request, token });
  const create = (prefix: string) => (n: number) =>
    encode(podsPath, { method: 'POST', body: JSON.stringify(benchPod(`${prefix}-${n}`, n)) });
  const list = (name: string, count: number, query: string, accept?: string): Phase => {
    const request = encode(`${podsPath}${query}`, { accept });
    return {
      kind: 'requests',
      protocol: 'http/1.1',
      name,
      clients: listClients,
      count,
      requestFor: () => request,
    };
  };
  const requests = (name: string, load: number, count: number, requestFor: (n: number) => Buffer): Phase => ({
    kind: 'requests',
    protocol: 'http/1.1',
    name,
    clients: load,
    count,
    requestFor,
  });
  /** The same over HTTP/2, as components of release 1.20 ask. */
  const overHttp2 = (phase: Phase): Phase => ({ ...phase, protocol: 'h2', name: `${phase.name}, HTTP/2` });
  const gets = (accept?: string) => {
    const made = Array.from({ length: Math.min(listedPods, distinctGets) }, (_, n) =>
      encode(pathOf('listed', n), { accept }),
    );
    return (n: number) => made[n % made.length] ?? Buffer.alloc(0);
  };
  const [get, getBinary] = [gets(), gets(protobufMediaType)];
  /** A whole pod without a version, which replaces whatever is there. */
  const update = (n: number) => {
    const index = n % listedPods;
    const body = JSON.stringify(benchPod(`listed-${index}`, index)).replace(
      '"example.org/revision":"0"',
      `"example.org/revision":"u${n}"`,
    );
    return encode(pathOf('listed', index), { method: 'PUT', body });
  };
  const patch = (n: number) => {
    const body = `{"metadata":{"annotations":{"example.org/revision":"p${n}"}}}`;
    return encode(pathOf('listed', n % listedPods), { method: 'PATCH', body, contentType: mergePatch });
  };
  const applyRequests = Array.from({ length: Math.min(writes, distinctApplies) }, (_, n) =>
    encode(`${pathOf('applied', n)}?fieldManager=bench`, {
      method: 'PATCH',
      body: JSON.stringify(benchPod(`applied-${n}`, n)),
      contentType: applyPatch,
    }),
  );
  const apply = (n: number) => applyRequests[n % applyRequests.length] ?? Buffer.alloc(0);
  const remove = (n: number) => encode(`${pathOf('created', n)}?gracePeriodSeconds=0`, { method: 'DELETE' });
  const watch = (name: string, isInStep: boolean): Phase => ({
    kind: 'watch',
    protocol: 'http/1.1',
    name,
    clients: watchers,
    count: watchedWrites,
    isInStep,
  });
  return [
    requests(fillName(sizes), clients, listedPods, create('listed')),
    list(`list ${listedPods} pods`, lists, ''),
    list('list, version 0', lists, '?resourceVersion=0'),
    list('list, label-selected 1/10', selectedLists, '?labelSelector=tier%3Dfront'),
    list('list, one node of 50', selectedLists, '?fieldSelector=spec.nodeName%3Dnode-7'),
    list(`list, page of ${pageSize}`, selectedLists, `?limit=${pageSize}`),
    overHttp2(list(`list, page of ${pageSize}`, selectedLists, `?limit=${pageSize}`)),
    list('list, as table', lists, '', table),
    list('list, in Protobuf', lists, '', protobufMediaType),
    requests('get pod, 1 client', 1, sizes.singleGets, get),
    requests(getName, clients, sizes.gets, get),
    overHttp2(requests('get pod, 1 client', 1, sizes.singleGets, get)),
    overHttp2(requests(`get pod, ${clients} clients`, clients, sizes.gets, get)),
    requests(`get pod in Protobuf, ${clients} clients`, clients, sizes.gets, getBinary),
    requests('create pod, 1 client', 1, singleWrites, create('single')),
    requests(`create pod, ${clients} clients`, clients, writes, create('created')),
    overHttp2(requests(`create pod, ${clients} clients`, clients, writes, create('streamed'))),
    requests(updateName, clients, writes, update),
    requests('merge patch pod', clients, writes, patch),
    requests('apply new pod', clients, applyRequests.length, apply),
    requests('apply pod, nothing changes', clients, writes, apply),
    watch(`watch event, ${watchers} watchers, one by one`, true),
    watch(`watch event, ${watchers} watchers, in a row`, false),
    overHttp2(watch(`watch event, ${watchers} watchers, in a row`, false)),
    requests('delete pod', clients, writes, remove),
  ];
}
