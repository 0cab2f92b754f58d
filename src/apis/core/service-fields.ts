import type { Service } from '../types/core-v1.ts';

/** Value of `spec.clusterIP` and of the only entry of `spec.clusterIPs` of a service without an address. */
export const headlessAddress = 'None';

/** True when the service has no address of its own: `clusterIPs` is `None` alone. */
export function isHeadless(service: Service): boolean {
  const addresses = service.spec.clusterIPs;
  return addresses?.length === 1 && addresses[0] === headlessAddress;
}

/** True for types that have an address in the service range (or are headless). */
export const needsClusterIp = (service: Service): boolean => service.spec.type !== 'ExternalName';

/** True for types whose ports are open on every node. */
export const needsNodePorts = (service: Service): boolean =>
  service.spec.type === 'NodePort' || service.spec.type === 'LoadBalancer';

/** True when a load balancer must ask nodes whether they have endpoints of the service. */
export const needsHealthCheckNodePort = (service: Service): boolean =>
  service.spec.type === 'LoadBalancer' && service.spec.externalTrafficPolicy === 'Local';

/** True when both lists are the same, item for item; unset counts as empty. */
export function areSameTexts(
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): boolean {
  const count = left?.length ?? 0;
  if (count !== (right?.length ?? 0)) return false;
  for (let at = 0; at < count; at++) if (left?.[at] !== right?.[at]) return false;
  return true;
}
