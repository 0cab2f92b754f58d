import type { Node, Pod, Service } from '../../apis/types/core-v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../apis/types/discovery-v1beta1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { endpointNames, headlessLabelsOf, mayBecomeReady, portIn } from '../endpoints/decide.ts';
import { sortByHash } from '../endpoints/pack-subsets.ts';
import { isPodReady } from '../workloads/pod-state.ts';
import { layOut } from './lay-out.ts';
import { recycleSlices } from './recycle.ts';
import type { SlicePlan } from './slice-writes.ts';

/** What slices are decided from. */
export interface SliceState {
  readonly service: Service;
  /** Those that the service selects. */
  readonly pods: readonly Pod[];
  readonly nodeOf: (name: string) => Node | undefined;
  /** Those of the service that this controller manages. */
  readonly slices: readonly EndpointSlice[];
  readonly maxEndpoints: number;
  readonly dialect: Dialect;
}

/** The labels by which slices are found. */
export const sliceLabels = (dialect: Dialect) => ({
  serviceName: dialect.label('service-name'),
  managedBy: dialect.domain('endpointslice', 'managed-by'),
  controller: dialect.spell('endpointslice-controller.orch.io'),
  mirroring: dialect.spell('endpointslicemirroring-controller.orch.io'),
});

/**
 * Which slices to create, change and delete. Pure. Endpoints stay in the slice where they are; a service without endpoints has an
 * empty slice. Source: release 1.20, `reconciler` of the endpoint slice controller.
 */
export function decideSlices(state: SliceState): SlicePlan {
  const { service, slices } = state;
  const plans = addressTypesOf(service).map((type) => {
    const own = slices.filter(({ addressType }) => addressType === type);
    return decideType(state, type, own);
  });
  const types = new Set(addressTypesOf(service));
  const foreign = slices.filter(({ addressType }) => !types.has(addressType));
  return {
    creations: plans.flatMap(({ creations }) => creations),
    updates: plans.flatMap(({ updates }) => updates),
    deletions: [...plans.flatMap(({ deletions }) => deletions), ...foreign],
  };
}

/** A headless service that does not say which addresses it is for is for both. */
function addressTypesOf({ spec }: Service): readonly string[] {
  const { ipFamilies, clusterIP } = spec;
  if (ipFamilies !== undefined && ipFamilies.length > 0) return ipFamilies;
  if (clusterIP === 'None' || !clusterIP) return ['IPv4', 'IPv6'];
  return [clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
}

function decideType(state: SliceState, addressType: string, slices: readonly EndpointSlice[]): SlicePlan {
  const { uid } = state.service.metadata;
  const isOwn = ({ metadata }: EndpointSlice): boolean =>
    metadata.ownerReferences?.some((owner) => owner.kind === 'Service' && owner.uid === uid) === true;
  const groups = groupByPorts(state, addressType);
  const ownByPorts = Map.groupBy(slices.filter(isOwn), ({ ports }) => portsText(ports));
  const creations: EndpointSlice[] = [];
  const updates: EndpointSlice[] = [];
  const deletions = slices.filter((slice) => !isOwn(slice) || !groups.has(portsText(slice.ports)));
  for (const [key, { ports, endpoints: wanted }] of groups) {
    const layout = layOut({
      slices: ownByPorts.get(key) ?? [],
      wanted,
      keyOf: keyOfEndpoint,
      isSame: isSameEndpoint,
      isStale: ({ metadata }) =>
        !deepEqual(givenLabels(metadata.labels, state), givenLabels(labelsOf(state), state)),
      maxEndpoints: state.maxEndpoints,
    });
    const filled = (endpoints: readonly Endpoint[]): EndpointSlice => ({
      ...newSlice(state, addressType),
      ports: ports.length > 0 ? ports : null,
      endpoints: [...endpoints],
    });
    creations.push(...layout.creations.map(filled));
    for (const { slice, endpoints } of layout.updates) {
      updates.push({ ...filled(endpoints), metadata: { ...slice.metadata, labels: labelsOf(state) } });
    }
    deletions.push(...layout.deletions);
  }
  // Nothing to show: one empty slice says so.
  if (deletions.length === slices.length && creations.length === 0)
    creations.push(newSlice(state, addressType));
  const plan = recycleSlices({ creations, updates, deletions }, isOwn);
  const stored = new Map(slices.map((slice) => [slice.metadata.name, slice]));
  return {
    // The slices of a service that goes are the garbage collector's.
    creations: state.service.metadata.deletionTimestamp ? [] : plan.creations,
    updates: plan.updates.filter((next) => !isSame(stored.get(next.metadata.name), next)),
    deletions: plan.deletions,
  };
}

interface Group {
  readonly ports: EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

function groupByPorts(state: SliceState, addressType: string): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const pod of state.pods) {
    const endpoint = endpointOf(pod, addressType, state);
    if (endpoint === undefined) continue;
    const ports = portsOf(state.service, pod);
    const key = portsText(ports);
    const group = groups.get(key) ?? { ports, endpoints: new Map<string, Endpoint>() };
    groups.set(key, group);
    group.endpoints.set(keyOfEndpoint(endpoint), endpoint);
  }
  return groups;
}

/** Where an endpoint is found again. Of pods that have an address in common one is shown. */
const keyOfEndpoint = ({ addresses, hostname = '' }: Endpoint): string =>
  `${hostname} ${[...(addresses ?? [])].sort().join()}`;

/** Ports as text, the same in any order. */
export const portsText = (ports: readonly EndpointPort[] | null): string =>
  JSON.stringify(
    (ports ?? [])
      .map(({ name = '', protocol, port, appProtocol }) => [name, protocol, port, appProtocol])
      .sort(),
  );

/** Undefined for a pod that is none, or has no address of this type. @throws Error when its node is not there, as release 1.20 does. */
function endpointOf(
  pod: Pod,
  addressType: string,
  { service, nodeOf, dialect }: SliceState,
): Endpoint | undefined {
  const { metadata, spec, status } = pod;
  const { publishNotReadyAddresses = false } = service.spec;
  if (!status.podIP || !mayBecomeReady(pod)) return undefined;
  if (metadata.deletionTimestamp && !publishNotReadyAddresses) return undefined;
  const node = nodeOf(spec.nodeName ?? '');
  if (node === undefined) throw new Error(`node ${quoteGo(spec.nodeName ?? '')} not found`);
  const ips = (status.podIPs ?? []).flatMap(({ ip }) => ip ?? []);
  const addresses = (ips.length === 0 ? [status.podIP] : ips).filter(
    (ip) => ip.includes(':') === (addressType === 'IPv6'),
  );
  if (addresses.length === 0) return undefined;
  const { namespace, name, uid, resourceVersion } = metadata;
  const topology: Record<string, string> = {};
  if (spec.nodeName) {
    topology[dialect.label('hostname')] = spec.nodeName;
    for (const key of ['zone', 'region']) {
      const label = dialect.domain('topology', key);
      const value = node.metadata.labels?.[label];
      if (value) topology[label] = value;
    }
  }
  const hasHostname = Boolean(spec.hostname) && spec.subdomain === service.metadata.name;
  return {
    addresses,
    conditions: { ready: publishNotReadyAddresses || isPodReady(pod) },
    ...(hasHostname && { hostname: spec.hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid, resourceVersion },
    ...(Object.keys(topology).length > 0 && { topology }),
  };
}

function portsOf({ spec }: Service, pod: Pod): EndpointPort[] {
  const found = (spec.ports ?? []).flatMap((servicePort) => {
    const port = portIn(pod, servicePort);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return [{ name, protocol, port, ...(appProtocol !== undefined && { appProtocol }) }];
  });
  return sortByHash(found, 'v1beta1.EndpointPort');
}

/** An empty slice of the service. */
function newSlice(state: SliceState, addressType: string): EndpointSlice {
  const { name = '', namespace, uid = '' } = state.service.metadata;
  const owner = { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: `${state.dialect.group('discovery')}/v1beta1`,
    kind: 'EndpointSlice',
    metadata: { generateName: `${name}-`, namespace, labels: labelsOf(state), ownerReferences: [owner] },
    addressType,
    // An empty list would be owned; release 1.20 sends none.
    endpoints: null,
    ports: null,
  };
}

function labelsOf({ service, dialect }: SliceState): Record<string, string> {
  const { serviceName, managedBy, controller } = sliceLabels(dialect);
  return {
    ...headlessLabelsOf(service, dialect),
    [serviceName]: service.metadata.name ?? '',
    [managedBy]: controller,
  };
}

/** Endpoints of one place. */
const isSameEndpoint = (a: Endpoint, b: Endpoint): boolean =>
  deepEqual([a.topology, a.conditions.ready, a.targetRef], [b.topology, b.conditions.ready, b.targetRef]);

/** Labels that are not the controller's own: whether there is an address is told with the next change only. */
function givenLabels(
  labels: Readonly<Record<string, string>> | undefined,
  { dialect }: SliceState,
): Record<string, string> {
  const { serviceName, managedBy } = sliceLabels(dialect);
  const {
    [serviceName]: _,
    [managedBy]: __,
    [endpointNames(dialect).headless]: ___,
    ...given
  } = labels ?? {};
  return given;
}

function isSame(a: EndpointSlice | undefined, b: EndpointSlice): boolean {
  const [before, after] = [a?.endpoints ?? [], b.endpoints ?? []];
  return (
    a !== undefined &&
    deepEqual(a.metadata.labels, b.metadata.labels) &&
    portsText(a.ports) === portsText(b.ports) &&
    before.length === after.length &&
    before.every((endpoint, at) => isSameEndpoint(endpoint, after[at] ?? endpoint))
  );
}
