import type { Endpoints, Service } from '../../apis/types/core-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { DialTarget } from '../../net/dial/index.ts';
import type { ResolveService } from './webhook-target.ts';

/** What services are found with. */
export interface ServiceResolverOptions {
  findService(namespace: string, name: string): Service | undefined;
  /**
   * How to go to one of the addresses behind a service (`--enable-aggregator-routing`), for servers that cannot reach
   * cluster addresses; these are used when it is left out.
   */
  readonly routing?: EndpointRouting | undefined;
  /** Where this server itself listens: its own service leads there, whatever its address is. */
  readonly own: { readonly namespace: string; readonly name: string; locate(): DialTarget };
}

/** What the addresses behind services are found with. */
export interface EndpointRouting {
  findEndpoints(namespace: string, name: string): Endpoints | undefined;
  /** At least 0, below 1. */
  readonly random: () => number;
}

/**
 * Finds where services are reached: by their cluster address, or at one of the addresses behind them. Source: release 1.20.
 */
export function createServiceResolver({ findService, routing, own }: ServiceResolverOptions): ResolveService {
  return ({ namespace, name, port }) => {
    if (namespace === own.namespace && name === own.name && port === httpsPort) return own.locate();
    const service = findService(namespace, name);
    if (service === undefined) throw new Error(`service ${quoteGo(name)} not found`);
    if (routing !== undefined) {
      const endpoints = routing.findEndpoints(namespace, name);
      return endpointOf(service, endpoints, { name, port, random: routing.random });
    }
    const { type = 'ClusterIP', clusterIP = '', externalName = '', ports } = service.spec;
    if (type === 'ExternalName') return { host: externalName, port };
    if (type === 'ClusterIP' && clusterIP === 'None') {
      throw new Error('cannot route to service with ClusterIP "None"');
    }
    if (!ports?.some((candidate) => candidate.port === port)) throw noPort(name, port);
    return { host: clusterIP, port };
  };
}

/** One of the ready addresses behind a service, by chance. */
function endpointOf(
  { spec }: Service,
  endpoints: Endpoints | undefined,
  { name, port, random }: { readonly name: string; readonly port: number; readonly random: () => number },
): DialTarget {
  const servicePort = spec.ports?.find((candidate) => candidate.port === port);
  if (servicePort === undefined) throw noPort(name, port);
  const { type = 'ClusterIP' } = spec;
  if (type === 'ExternalName') throw new Error(`unsupported service type ${quoteGo(type)}`);
  if (endpoints === undefined) throw new Error(`endpoints ${quoteGo(name)} not found`);
  const portName = servicePort.name ?? '';
  const places = (endpoints.subsets ?? []).flatMap(({ addresses, ports }) => {
    const found = ports?.find((candidate) => (candidate.name ?? '') === portName);
    return found === undefined ? [] : (addresses ?? []).map(({ ip }) => ({ host: ip, port: found.port }));
  });
  const place = places[Math.floor(random() * places.length)];
  if (place === undefined) throw new Error(`no endpoints available for service ${quoteGo(name)}`);
  return place;
}

const noPort = (name: string, port: number): Error =>
  new Error(`no service port ${port} found for service ${quoteGo(name)}`);

const httpsPort = 443;
