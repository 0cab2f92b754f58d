import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { normalizeClusterIps } from '../defaults/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { validateLoadBalancerStatus } from '../network-checks.ts';
import type { Service } from '../types/core-v1.ts';
import { nameIsDns1035Label } from '../validation/index.ts';
import { validateAddressChanges } from './service-addresses.ts';
import { areSameTexts, needsClusterIp, needsHealthCheckNodePort, needsNodePorts } from './service-fields.ts';
import {
  validateExternalTrafficCombination,
  validateMixedProtocols,
  validateServiceSpec,
} from './service-validation.ts';

/**
 * Services. Addresses and node ports are given out by the server (`service-allocation.ts` says which), after
 * these rules accepted the object.
 */
export const serviceRules: KindRules<Service> = {
  hasStatus: true,
  answersDeletion: 'status',
  isCheckedWithoutVersion: true,
  companion: '/v1/endpoints',
  validateName: nameIsDns1035Label,
  prepareForCreate(service, { gates }) {
    service.status = { loadBalancer: {} };
    normalizeClusterIps(service);
    dropGatedServiceFields(service, undefined, gates);
  },
  prepareForUpdate(service, old, { gates }) {
    service.status = { ...old.status };
    normalizeClusterIps(service, old);
    dropGatedServiceFields(service, old, gates);
    dropFieldsOfOldType(service, old);
    if (gates.has('IPv6DualStack')) trimToSingleStack(service, old);
  },
  validate: (service, context) => validateService(service, undefined, context),
  validateKept: validateAddressChanges,
  validateUpdate: (service, old, context) => validateService(service, old, context),
  prepareLast: dropTrafficFieldsOfOldType,
  validateLast: (service, old) => [
    ...validateExternalTrafficCombination(service),
    ...validateHealthCheckPortKept(service, old),
  ],
  status: {
    allowsCreateOnUpdate: true,
    prepareForUpdate(service, old) {
      service.spec = old.spec;
    },
    validateUpdate: (service) => validateLoadBalancerStatus(service.status.loadBalancer.ingress),
  },
};

const validateService = (
  service: Service,
  old: Service | undefined,
  { dialect, gates, catalog }: RuleContext,
): FieldError[] => [
  ...validateServiceSpec(service, { dialect, gates }),
  ...validateMixedProtocols(service, old, { gates, catalog }),
];

/** The port that the load balancer asks stays as long as it is needed. */
function validateHealthCheckPortKept(service: Service, old: Service | undefined): FieldError[] {
  if (old === undefined || !needsHealthCheckNodePort(old) || !needsHealthCheckNodePort(service)) return [];
  const port = service.spec.healthCheckNodePort ?? 0;
  if (port === (old.spec.healthCheckNodePort ?? 0)) return [];
  const detail =
    'cannot change healthCheckNodePort on loadBalancer service with externalTraffic=Local during update';
  return [invalidValue(fieldPath('spec', 'healthCheckNodePort'), port, detail)];
}

/** Removes fields of features that are off, unless the stored object uses them already. */
function dropGatedServiceFields(
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
function dropFieldsOfOldType(service: Service, old: Service): void {
  const { spec } = service;
  if (needsClusterIp(old) && !needsClusterIp(service)) dropAddresses(spec, old.spec);
  if (needsNodePorts(old) && !needsNodePorts(service) && hasNoNewNodePorts(service, old)) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  const { allocateLoadBalancerNodePorts } = old.spec;
  if (
    old.spec.type === 'LoadBalancer' &&
    spec.type !== 'LoadBalancer' &&
    spec.allocateLoadBalancerNodePorts === allocateLoadBalancerNodePorts
  ) {
    delete spec.allocateLoadBalancerNodePorts;
  }
  if (spec.type !== 'LoadBalancer') service.status.loadBalancer = {};
}

/** Each of these goes by itself: clients that know some of them only leave the others as they were. */
function dropAddresses(spec: Service['spec'], old: Service['spec']): void {
  if ((spec.clusterIP ?? '') === (old.clusterIP ?? '') && areSameTexts(spec.clusterIPs, old.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (areSameTexts(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
  if ((spec.ipFamilyPolicy ?? '') === (old.ipFamilyPolicy ?? '')) delete spec.ipFamilyPolicy;
}

/** Clears what the new type has no use for, whatever the client says. */
function dropTrafficFieldsOfOldType(service: Service, old: Service): void {
  const { spec } = service;
  if (needsHealthCheckNodePort(old) && !needsHealthCheckNodePort(service)) delete spec.healthCheckNodePort;
  if (needsNodePorts(old) && !needsNodePorts(service)) delete spec.externalTrafficPolicy;
}

function hasNoNewNodePorts(service: Service, old: Service): boolean {
  const before = nodePortsOf(old);
  return [...nodePortsOf(service)].every((port) => before.has(port));
}

function nodePortsOf(service: Service): Set<number> {
  const used = new Set<number>();
  for (const port of service.spec.ports ?? []) if (port.nodePort) used.add(port.nodePort);
  return used;
}

/** Gives up the second address and family when a client turns a service back to a single stack. */
function trimToSingleStack(service: Service, old: Service): void {
  const { spec } = service;
  const before = old.spec.ipFamilyPolicy ?? 'SingleStack';
  if (spec.ipFamilyPolicy !== 'SingleStack' || before === 'SingleStack') return;
  if (spec.clusterIPs !== undefined) spec.clusterIPs = spec.clusterIPs.slice(0, 1);
  if (spec.ipFamilies !== undefined) spec.ipFamilies = spec.ipFamilies.slice(0, 1);
}
