import type { Service } from '../types/core-v1.ts';
import {
  areSameTexts,
  isHeadless,
  needsClusterIp,
  needsHealthCheckNodePort,
  needsNodePorts,
} from './service-fields.ts';

/** Removes fields of features that are off, unless the stored object uses them already. */
export function dropGatedServiceFields(
  service: Service,
  old: Service | undefined,
  gates: ReadonlySet<string>,
): void {
  const { spec } = service;
  if (!gates.has('IPv6DualStack') && !usesDualStack(old)) {
    delete spec.ipFamilyPolicy;
    delete spec.ipFamilies;
    if ((spec.clusterIPs?.length ?? 0) > 1) spec.clusterIPs = spec.clusterIPs?.slice(0, 1);
  }
  if (!gates.has('ServiceTopology') && !old?.spec.topologyKeys?.length) delete spec.topologyKeys;
  if (
    !gates.has('ServiceLBNodePortControl') &&
    (old === undefined || old.spec.allocateLoadBalancerNodePorts === undefined)
  ) {
    delete spec.allocateLoadBalancerNodePorts;
  }
  if (!gates.has('MixedProtocolLBService') && !old?.status.conditions?.length)
    delete service.status.conditions;
}

const usesDualStack = (service: Service | undefined): boolean =>
  service !== undefined &&
  (service.spec.ipFamilyPolicy !== undefined ||
    (service.spec.ipFamilies?.length ?? 0) > 0 ||
    (service.spec.clusterIPs?.length ?? 0) > 1);

/** Clears what the new type has no use for, as long as the client did not set it anew. */
export function dropFieldsOfOldType(service: Service, old: Service): void {
  const { spec } = service;
  if (
    needsClusterIp(old) &&
    !needsClusterIp(service) &&
    (spec.clusterIP ?? '') === (old.spec.clusterIP ?? '') &&
    areSameTexts(spec.clusterIPs, old.spec.clusterIPs)
  ) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (needsNodePorts(old) && !needsNodePorts(service)) {
    if (haveSameNodePorts(service, old)) for (const port of spec.ports ?? []) delete port.nodePort;
    delete spec.externalTrafficPolicy;
  }
  if (
    needsHealthCheckNodePort(old) &&
    !needsHealthCheckNodePort(service) &&
    (spec.healthCheckNodePort ?? 0) === (old.spec.healthCheckNodePort ?? 0)
  ) {
    delete spec.healthCheckNodePort;
  }
  if (spec.type !== 'LoadBalancer') service.status.loadBalancer = {};
}

function haveSameNodePorts(service: Service, old: Service): boolean {
  const before = nodePortsOf(old);
  const after = nodePortsOf(service);
  return before.size === after.size && [...after].every((port) => before.has(port));
}

function nodePortsOf(service: Service): Set<number> {
  const used = new Set<number>();
  for (const port of service.spec.ports ?? []) if (port.nodePort) used.add(port.nodePort);
  return used;
}

/** Gives up the second address and family when a client turns a service back to a single stack. */
export function trimToSingleStack(service: Service, old: Service): void {
  const { spec } = service;
  if (spec.type === 'ExternalName' || spec.ipFamilyPolicy !== 'SingleStack' || isHeadless(service)) return;
  if (old.spec.clusterIPs?.length === 2 && areSameTexts(spec.clusterIPs, old.spec.clusterIPs)) {
    spec.clusterIPs = old.spec.clusterIPs.slice(0, 1);
  }
  if (old.spec.ipFamilies?.length === 2 && areSameTexts(spec.ipFamilies, old.spec.ipFamilies)) {
    spec.ipFamilies = old.spec.ipFamilies.slice(0, 1);
  }
}
