import type { EndpointAddress, EndpointSubset, Endpoints, Service } from '../../apis/types/core-v1.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../apis/types/discovery-v1beta1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { portsText, sliceLabels } from '../endpoint-slices/decide.ts';
import { recycleSlices } from '../endpoint-slices/recycle.ts';
import type { SlicePlan } from '../endpoint-slices/slice-writes.ts';
import { sortByHash } from '../endpoints/pack-subsets.ts';
import { controllerReference } from '../workloads/claims.ts';

/** What mirrored slices are decided from. */
export interface MirrorState {
  readonly endpoints: Endpoints | undefined;
  /** The service of the same name. */
  readonly service: Service | undefined;
  /** Those that were mirrored for it. */
  readonly slices: readonly EndpointSlice[];
  readonly maxAddresses: number;
  readonly dialect: Dialect;
}

/** What makes mirrored slices right. */
export interface MirrorPlan extends SlicePlan {
  /** Addresses that no slice has room for. */
  readonly skipped: number;
}

/**
 * Which slices to create, change and delete, one for each set of ports and kind of address. Pure. Endpoints of services that select
 * pods are the other controllers'. Source: release 1.20, `reconcile` of the mirroring controller.
 */
export function decideMirror(state: MirrorState): MirrorPlan {
  const { endpoints, slices } = state;
  if (endpoints === undefined || !isMirrored(state)) {
    return { creations: [], updates: [], deletions: slices, skipped: 0 };
  }
  const { groups, skipped } = groupAddresses(endpoints, state);
  const creations: EndpointSlice[] = [];
  const updates: EndpointSlice[] = [];
  const kept = new Set<EndpointSlice>();
  for (const group of groups) {
    const key = portsText(group.ports);
    const slice = slices.find(
      ({ addressType, ports }) => addressType === group.addressType && portsText(ports) === key,
    );
    const wanted = newSlice(endpoints, group, state.dialect);
    if (slice === undefined) {
      creations.push(wanted);
      continue;
    }
    kept.add(slice);
    if (isSame(slice, wanted)) continue;
    // A slice that is written anew has its name from before, and forgets where that came from.
    const { generateName: _, ...metadata } = wanted.metadata;
    updates.push({ ...wanted, metadata: { ...metadata, name: slice.metadata.name } });
  }
  const deletions = slices.filter((slice) => !kept.has(slice));
  const plan = recycleSlices({ creations, updates, deletions }, () => true);
  const isGoing = Boolean(endpoints.metadata.deletionTimestamp);
  return { ...plan, creations: isGoing ? [] : plan.creations, skipped };
}

/** Endpoints that elect a leader, or say so, are no addresses of a service. */
function isMirrored({ endpoints, service, dialect }: MirrorState): boolean {
  const { labels = {}, annotations = {} } = endpoints?.metadata ?? {};
  if (labels[dialect.domain('endpointslice', 'skip-mirror')] === 'true') return false;
  if (dialect.domain('control-plane.alpha', 'leader') in annotations) return false;
  return service !== undefined && service.spec.selector == null;
}

interface Group {
  readonly addressType: 'IPv4' | 'IPv6';
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

function groupAddresses(
  { subsets }: Endpoints,
  { maxAddresses, dialect }: MirrorState,
): { readonly groups: readonly Group[]; readonly skipped: number } {
  const groups = new Map<string, Group>();
  let skipped = 0;
  for (const subset of subsets ?? []) {
    const ports = portsOf(subset);
    const all = [...(subset.addresses ?? []), ...(subset.notReadyAddresses ?? [])];
    skipped += Math.max(0, all.length - maxAddresses);
    for (const address of all.slice(0, maxAddresses)) {
      const addressType = address.ip.includes(':') ? 'IPv6' : 'IPv4';
      const key = `${addressType} ${portsText(ports)}`;
      const group = groups.get(key) ?? { addressType, ports, endpoints: new Map<string, Endpoint>() };
      groups.set(key, group);
      if (group.endpoints.size >= maxAddresses) continue;
      // Release 1.20 mirrors addresses that are not ready as ready ones.
      group.endpoints.set(keyOf(address), endpointOf(address, dialect));
    }
  }
  return { groups: [...groups.values()], skipped };
}

const keyOf = ({ ip, hostname, targetRef }: EndpointAddress): string =>
  JSON.stringify([ip, hostname, targetRef?.uid]);

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, dialect: Dialect): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready: true },
    ...(hostname && { hostname }),
    ...(targetRef && { targetRef }),
    ...(nodeName !== undefined && { topology: { [dialect.label('hostname')]: nodeName } }),
  };
}

const portsOf = ({ ports }: EndpointSubset): EndpointPort[] =>
  (ports ?? []).map(({ name = '', port, protocol, appProtocol }) => ({
    ...{ name, port, protocol },
    ...(appProtocol !== undefined && { appProtocol }),
  }));

function newSlice({ metadata }: Endpoints, group: Group, dialect: Dialect): EndpointSlice {
  const { name = '', namespace = '', uid = '' } = metadata;
  const owner = { apiVersion: 'v1', kind: 'Endpoints', namespace, name, uid, isBeingDeleted: false };
  const { serviceName, managedBy, mirroring } = sliceLabels(dialect);
  return {
    apiVersion: `${dialect.group('discovery')}/v1beta1`,
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: { ...metadata.labels, [serviceName]: name, [managedBy]: mirroring },
      ownerReferences: [controllerReference(owner)],
    },
    addressType: group.addressType,
    endpoints: [...group.endpoints.values()],
    ports: group.ports.length > 0 ? sortByHash(group.ports, 'v1beta1.EndpointPort') : null,
  };
}

/** In any order. */
function isSame(stored: EndpointSlice, wanted: EndpointSlice): boolean {
  const shown = ({ endpoints }: EndpointSlice): string[] =>
    (endpoints ?? [])
      .map(({ addresses, conditions, hostname, targetRef, topology }) => {
        const { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath } = targetRef ?? {};
        const target = [kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath];
        return JSON.stringify([addresses, conditions.ready, hostname, target, topology]);
      })
      .sort();
  return deepEqual(shown(stored), shown(wanted));
}
