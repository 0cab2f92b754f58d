import type { EndpointAddress, EndpointSubset, Endpoints, Pod, Service } from '../../apis/types/core-v1.ts';
import { badRequest, serviceUnavailable } from '../../machinery/errors/index.ts';
import { decodeStored, keyOf, type ServedKind, type Stores } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import {
  type Backend,
  changedProxyPath,
  isProxyableAddress,
  type ProxyPath,
  proxyPath,
  proxyRequest,
  resolveProxyable,
} from '../streaming/agent/index.ts';
import type { AgentAccess, FindAgent } from './agent-access.ts';
import { type ConnectHandler, type ConnectOptions, pathOf } from './connections.ts';
import { findHelper, findObject } from './find-object.ts';

/** `nodes/[SCHEME:]NAME[:PORT]/proxy`: the agent itself, or another port of its host. */
export function nodeProxyHandler({ client }: AgentAccess, findAgent: FindAgent): ConnectHandler {
  return async (exchange, _endpoint, _subresource, options) => {
    const { scheme, name, port } = readProxyName(exchange.info.name, 'node');
    const agent = await findAgent(exchange, name);
    const isAgent = port === '' || port === String(agent.port);
    const backend = isAgent ? agent : await otherPort(agent, scheme === '' ? 'http' : scheme, port);
    const at = placeOf(exchange, options);
    await proxyRequest(exchange, client, { backend, at });
  };
}

/** Resolved once, so that the connection goes to the address that was checked. */
async function otherPort({ host }: Backend, scheme: 'http' | 'https', port: string): Promise<Backend> {
  const address = await resolveProxyable(host);
  return { scheme, host, port: readProxyPort(port), address, trust: 'anyone' };
}

/** `pods/[SCHEME:]NAME[:PORT]/proxy`: by default at the first port that a container of the pod names. */
export function podProxyHandler({ client }: AgentAccess): ConnectHandler {
  return async (exchange, { served }, _subresource, options) => {
    const { scheme: given, name, port } = readProxyName(exchange.info.name, 'pod');
    const pod = (await findObject(exchange, served, { name })) as Pod; // stored under this resource
    const host = pod.status?.podIP ?? '';
    if (!isProxyableAddress(host)) throw badRequest('address not allowed');
    const scheme = given === '' ? 'http' : given;
    const backend = {
      scheme,
      host,
      port: portOf(pod, port) ?? standardPort(scheme),
      trust: 'anyone',
    } as const;
    const at = placeOf(exchange, options);
    await proxyRequest(exchange, client, { backend, at });
  };
}

function portOf({ spec }: Pod, given: string): number | undefined {
  if (given !== '') return readProxyPort(given);
  return spec.containers?.find(({ ports }) => (ports?.length ?? 0) > 0)?.ports?.[0]?.containerPort;
}

/** What the proxy of services works on. */
interface ServiceProxySources {
  readonly access: AgentAccess;
  readonly stores: Stores;
  /** Chooses among addresses: at least 0, below 1. */
  readonly random: () => number;
}

/** `services/[SCHEME:]NAME[:PORT]/proxy`: any ready pod behind the service; the port may be a number or a name. */
export function serviceProxyHandler({ access, stores, random }: ServiceProxySources): ConnectHandler {
  return async (exchange, { served }, _subresource, options) => {
    const { namespace, name: id } = exchange.info;
    const { scheme, name, port } = readProxyName(id, 'service');
    const unavailable = (what: string) =>
      serviceUnavailable(`no endpoints available for service ${JSON.stringify(what)}`);
    let portName = port;
    if (/^\d+$/.test(port)) {
      const service = (await findObject(exchange, served, { name })) as Service; // stored under this resource
      portName = portNameOf(service, port);
    }
    const kind = stores.served.get('/v1/endpoints');
    if (kind === undefined) throw new RangeError('endpoints are not served');
    const { subsets } = (await findHelper(exchange, kind, name)) as Endpoints; // stored under this resource
    if (!subsets || subsets.length === 0) throw unavailable(name);
    const pods = stores.served.get('/v1/pods');
    const place = await findPlace(subsets, { portName, random }, async ({ ip, targetRef }) => {
      if (targetRef?.namespace !== namespace || !isProxyableAddress(ip)) return false;
      const pod = (await read(pods, namespace, targetRef.name ?? '')) as Pod | undefined;
      return pod?.status?.podIPs?.some((podIp) => podIp.ip === ip) ?? false;
    });
    if (place === undefined) throw unavailable(id);
    const backend = { scheme: scheme === '' ? 'http' : scheme, ...place, trust: 'anyone' } as const;
    const at = placeOf(exchange, options);
    await proxyRequest(exchange, access.client, { backend, at });
  };
}

/** @throws StatusError 503 when the service has no such port. */
function portNameOf({ metadata, spec }: Service, number: string): string {
  const port = spec.ports?.find((candidate) => candidate.port === Number(number));
  if (port !== undefined) return port.name ?? '';
  throw serviceUnavailable(
    `no service port ${Number(number)} found for service ${JSON.stringify(metadata.name)}`,
  );
}

async function read(served: ServedKind | undefined, namespace: string, name: string): Promise<unknown> {
  if (served === undefined) return undefined;
  const { store } = served;
  await store.freshen?.();
  const stored = store.cache.get(keyOf(store, namespace, name));
  return stored === undefined ? undefined : decodeStored(stored);
}

/** A ready address that still belongs to its pod, with the port of that name. The search begins at random. */
async function findPlace(
  subsets: readonly EndpointSubset[],
  { portName, random }: { readonly portName: string; readonly random: () => number },
  isValid: (address: EndpointAddress) => Promise<boolean>,
): Promise<{ readonly host: string; readonly port: number } | undefined> {
  for (const { addresses, ports } of rotated(subsets, random)) {
    for (const { port } of ports?.filter(({ name = '' }) => name === portName) ?? []) {
      for (const address of rotated(addresses ?? [], random)) {
        if (await isValid(address)) return { host: address.ip, port };
      }
    }
  }
  return undefined;
}

function rotated<T>(list: readonly T[], random: () => number): readonly T[] {
  const start = Math.floor(random() * list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

/** Where a request goes at the site: as the client wrote it, unless admission changed it. */
function placeOf(exchange: Exchange, { path = '' }: ConnectOptions): ProxyPath {
  const named = proxyPath(exchange.request.url ?? '', exchange.info.rest.length);
  return path === pathOf(exchange) ? named : changedProxyPath(named, exchange.path, path);
}

/** What a proxy's path names: `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`; parts left out are empty. */
interface ProxyName {
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

/** @throws StatusError 400 for another form; `what` is the kind of thing for its text. */
function readProxyName(text: string, what: 'node' | 'pod' | 'service'): ProxyName {
  const parts = text.split(':');
  const [first = '', second = '', third = ''] = parts;
  const [scheme, name, port] = parts.length === 3 ? [first, second, third] : ['', first, second];
  const isScheme = scheme === '' || scheme === 'http' || scheme === 'https';
  if (name === '' || parts.length > 3 || !isScheme) {
    throw badRequest(`invalid ${what} request ${JSON.stringify(text)}`);
  }
  return { scheme, name, port };
}

/** A port's number. @throws StatusError 400 for what cannot be one. */
function readProxyPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw badRequest(`invalid port ${JSON.stringify(text)}`);
  return port;
}

/** The port of a scheme when none is named. */
const standardPort = (scheme: 'http' | 'https'): number => (scheme === 'http' ? 80 : 443);
