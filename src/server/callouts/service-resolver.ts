import type { Service } from '../../apis/types/core-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { DialTarget } from './dial-error.ts';
import type { ResolveService } from './webhook-target.ts';

/** What services are found with. */
export interface ServiceResolverOptions {
  findService(namespace: string, name: string): Service | undefined;
  /** Where this server itself listens: its own service leads there, whatever its address is. */
  readonly own: { readonly namespace: string; readonly name: string; locate(): DialTarget };
}

/**
 * Finds the address of services by their cluster address, as release 1.20 does for webhooks.
 */
export function createServiceResolver({ findService, own }: ServiceResolverOptions): ResolveService {
  return ({ namespace, name, port }) => {
    if (namespace === own.namespace && name === own.name && port === httpsPort) return own.locate();
    const service = findService(namespace, name);
    if (service === undefined) throw new Error(`service ${quoteGo(name)} not found`);
    const { type = 'ClusterIP', clusterIP = '', externalName = '', ports } = service.spec;
    if (type === 'ExternalName') return { host: externalName, port };
    if (type === 'ClusterIP' && clusterIP === 'None') {
      throw new Error('cannot route to service with ClusterIP "None"');
    }
    if (!ports?.some((candidate) => candidate.port === port)) {
      throw new Error(`no service port ${port} found for service ${quoteGo(name)}`);
    }
    return { host: clusterIP, port };
  };
}

const httpsPort = 443;
