import type { Node, Pod, Service } from '../../apis/types/core-v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../apis/types/discovery-v1beta1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { headlessLabelsOf, mayBecomeReady, portIn } from '../endpoints/index.ts';
import { isPodReady } from '../workloads/index.ts';
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
  const creations: EndpointSlice[] = [];
  const updates: EndpointSlice[] = [];
  const deletions: EndpointSlice[] = [];
  const groups = groupByPorts(state, addressType);
  for (const slice of slices) {
    const group = groups.get(portsText(slice.ports));
    const kept = (slice.endpoints ?? []).flatMap((endpoint) => {
      const key = keyOfEndpoint(endpoint);
      const wanted = group?.endpoints.get(key);
      group?.endpoints.delete(key);
      return wanted ?? [];
    });
    if (kept.length === 0) deletions.push(slice);
    else group?.slices.push({ slice, kept });
  }
  for (const { ports, endpoints, slices: own } of groups.values()) {
    const left = [...endpoints.values()];
    for (const { slice, kept } of own) {
      const filled = [...kept, ...left.splice(0, state.maxEndpoints - kept.length)];
      const next = {
        ...newSlice(state, addressType),
        ports,
        endpoints: filled,
        metadata: metadataOf(state, slice),
      };
      if (!isSame(slice, next)) updates.push(next);
    }
    while (left.length > 0) {
      creations.push({
        ...newSlice(state, addressType),
        ports,
        endpoints: left.splice(0, state.maxEndpoints),
      });
    }
  }
  if (groups.size > 0) return { creations, updates, deletions };
  // Nothing to show: one empty slice says so.
  const empty = deletions.find(({ ports, endpoints }) => !ports?.length && !endpoints?.length);
  if (empty === undefined) creations.push(newSlice(state, addressType));
  else {
    const next = { ...newSlice(state, addressType), metadata: metadataOf(state, empty) };
    if (!isSame(empty, next)) updates.push(next);
  }
  return { creations, updates, deletions: deletions.filter((slice) => slice !== empty) };
}

interface Group {
  readonly ports: EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
  readonly slices: { readonly slice: EndpointSlice; readonly kept: readonly Endpoint[] }[];
}

function groupByPorts(state: SliceState, addressType: string): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const pod of state.pods) {
    const endpoint = endpointOf(pod, state);
    if (endpoint === undefined || isIpv6(endpoint) !== (addressType === 'IPv6')) continue;
    const ports = portsOf(state.service, pod);
    const key = portsText(ports);
    const group = groups.get(key) ?? { ports, endpoints: new Map<string, Endpoint>(), slices: [] };
    groups.set(key, group);
    group.endpoints.set(keyOfEndpoint(endpoint), endpoint);
  }
  return groups;
}

const isIpv6 = ({ addresses }: Endpoint): boolean => addresses?.[0]?.includes(':') === true;

/** Where an endpoint is found again; another pod that has its address is another one. */
const keyOfEndpoint = ({ addresses, targetRef }: Endpoint): string =>
  `${targetRef?.uid} ${addresses?.join()}`;

/** Ports as text, the same in any order. */
export const portsText = (ports: readonly EndpointPort[] | null): string =>
  JSON.stringify(
    (ports ?? [])
      .map(({ name = '', protocol, port, appProtocol }) => [name, protocol, port, appProtocol])
      .sort(),
  );

function endpointOf(pod: Pod, { service, nodeOf, dialect }: SliceState): Endpoint | undefined {
  const { metadata, spec, status } = pod;
  const { publishNotReadyAddresses = false } = service.spec;
  if (!status.podIP || !mayBecomeReady(pod)) return undefined;
  if (metadata.deletionTimestamp && !publishNotReadyAddresses) return undefined;
  const { namespace, name, uid, resourceVersion } = metadata;
  const topology: Record<string, string> = {};
  if (spec.nodeName) {
    topology[dialect.label('hostname')] = spec.nodeName;
    for (const key of ['zone', 'region']) {
      const label = dialect.domain('topology', key);
      const value = nodeOf(spec.nodeName)?.metadata.labels?.[label];
      if (value !== undefined) topology[label] = value;
    }
  }
  const hasHostname = Boolean(spec.hostname) && spec.subdomain === service.metadata.name;
  return {
    addresses: [status.podIP],
    conditions: { ready: publishNotReadyAddresses || isPodReady(pod) },
    ...(hasHostname && { hostname: spec.hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid, resourceVersion },
    ...(Object.keys(topology).length > 0 && { topology }),
  };
}

const portsOf = ({ spec }: Service, pod: Pod): EndpointPort[] =>
  (spec.ports ?? []).flatMap((servicePort) => {
    const port = portIn(pod, servicePort);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return [{ name, protocol, port, ...(appProtocol !== undefined && { appProtocol }) }];
  });

/** An empty slice of the service. */
function newSlice(state: SliceState, addressType: string): EndpointSlice {
  const { name = '', namespace, uid = '' } = state.service.metadata;
  const owner = { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: `${state.dialect.group('discovery')}/v1beta1`,
    kind: 'EndpointSlice',
    metadata: { generateName: `${name}-`, namespace, labels: labelsOf(state), ownerReferences: [owner] },
    addressType,
    endpoints: [],
    ports: [],
  };
}

const metadataOf = (state: SliceState, { metadata }: EndpointSlice): EndpointSlice['metadata'] => ({
  ...metadata,
  labels: labelsOf(state),
});

function labelsOf({ service, dialect }: SliceState): Record<string, string> {
  const { serviceName, managedBy, controller } = sliceLabels(dialect);
  return {
    ...headlessLabelsOf(service, dialect),
    [serviceName]: service.metadata.name ?? '',
    [managedBy]: controller,
  };
}

/** Pods that changed elsewhere have another version; that alone is no other endpoint. */
function isSame(a: EndpointSlice, b: EndpointSlice): boolean {
  const shown = ({ metadata, endpoints, ports }: EndpointSlice) => [
    metadata.labels,
    portsText(ports),
    (endpoints ?? []).map(({ targetRef, ...endpoint }) => [endpoint, targetRef?.uid]),
  ];
  return deepEqual(shown(a), shown(b));
}
