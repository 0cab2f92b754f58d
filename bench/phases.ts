import { benchPod, podsPath } from './bench-pod.ts';
import { encodeRequest } from './raw-connection.ts';

/** One measured part of the benchmark. */
export interface Phase {
  readonly name: string;
  readonly clients: number;
  readonly count: number;
  /** Bytes of the request with this index; undefined for watches, which have a load of their own. */
  readonly requestFor?: (index: number) => Buffer;
}

/** How much is done; `quick` is enough to see that everything works. */
export interface Sizes {
  readonly listedPods: number;
  readonly creates: number;
  readonly gets: number;
  readonly lists: number;
  readonly selectedLists: number;
  readonly updates: number;
  readonly watchers: number;
  readonly watchedWrites: number;
}

export const fullSizes: Sizes = {
  listedPods: 2000,
  creates: 8000,
  gets: 40_000,
  lists: 200,
  selectedLists: 2000,
  updates: 8000,
  watchers: 300,
  watchedWrites: 300,
};

export const quickSizes: Sizes = {
  listedPods: 200,
  creates: 200,
  gets: 1000,
  lists: 10,
  selectedLists: 50,
  updates: 200,
  watchers: 20,
  watchedWrites: 10,
};

const clients = 64;
const listClients = 4;
const pageSize = 500;
const listed = (index: number): string => `${podsPath}/listed-${index}`;

/** The phases in order. The first makes the pods that the others read and change. */
export function phasesOf(sizes: Sizes): readonly Phase[] {
  const { listedPods } = sizes;
  const get = Array.from({ length: listedPods }, (_, n) => encodeRequest('GET', listed(n)));
  const list = encodeRequest('GET', podsPath);
  const selected = encodeRequest('GET', `${podsPath}?labelSelector=tier%3Dfront`);
  const page = encodeRequest('GET', `${podsPath}?limit=${pageSize}`);
  const create = (prefix: string) => (n: number) =>
    encodeRequest('POST', podsPath, JSON.stringify(benchPod(`${prefix}-${n}`, n)));
  const pick = (requests: readonly Buffer[]) => (n: number) => requests[n % requests.length] ?? list;
  return [
    { name: `fill with ${listedPods} pods`, clients, count: listedPods, requestFor: create('listed') },
    { name: `list ${listedPods} pods`, clients: listClients, count: sizes.lists, requestFor: () => list },
    {
      name: 'list, label-selected 1/20',
      clients: listClients,
      count: sizes.selectedLists,
      requestFor: () => selected,
    },
    { name: `list, page of ${pageSize}`, clients: listClients, count: sizes.lists, requestFor: () => page },
    { name: 'get pod', clients, count: sizes.gets, requestFor: pick(get) },
    { name: 'create pod', clients, count: sizes.creates, requestFor: create('created') },
    { name: 'update pod', clients, count: sizes.updates, requestFor: (n) => updateRequest(n, listedPods) },
    {
      name: 'merge patch pod',
      clients,
      count: sizes.updates,
      requestFor: (n) => patchRequest(n, listedPods),
    },
    { name: 'watch event delivered', clients: sizes.watchers, count: sizes.watchedWrites },
  ];
}

/** A whole pod without a version, which replaces whatever is there. */
function updateRequest(n: number, pods: number): Buffer {
  const index = n % pods;
  const text = JSON.stringify(benchPod(`listed-${index}`, index)).replace(
    '"example.org/revision":"0"',
    `"example.org/revision":"u${n}"`,
  );
  return encodeRequest('PUT', listed(index), text);
}

function patchRequest(n: number, pods: number): Buffer {
  const body = `{"metadata":{"annotations":{"example.org/revision":"p${n}"}}}`;
  return encodeRequest('PATCH', listed(n % pods), body, 'application/merge-patch+json');
}
