import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
  Pod,
  Service,
  ServicePort,
} from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { parseBool } from '../../machinery/go-values/index.ts';
import { isPodReady } from '../workloads/pod-state.ts';

/** Names by which services and endpoints tell what they are. */
export interface EndpointNames {
  /** Label of the endpoints of services without an address. */
  readonly headless: string;
  /** Annotation of services whose pods count as ready whatever they are; older than the field for it. */
  readonly tolerateUnready: string;
}

export const endpointNames = (dialect: Dialect): EndpointNames => ({
  headless: dialect.domain('service', 'headless'),
  tolerateUnready: dialect.domain('service.alpha', 'tolerate-unready-endpoints'),
});

/**
 * The endpoints that a service is to have; undefined when it has them, or has no selector: such endpoints are somebody else's. Pure.
 * `pods` are those that the service selects. Source: release 1.20, `syncService` of the endpoints controller.
 */
export function decideEndpoints(
  service: Service,
  pods: readonly Pod[],
  { current, names }: { readonly current: Endpoints | undefined; readonly names: EndpointNames },
): Endpoints | undefined {
  if (service.spec.selector == null) return undefined;
  const subsets = subsetsOf(service, pods, names);
  const labels = labelsOf(service, names);
  const isRight =
    current !== undefined &&
    deepEqual(withoutVersions(subsets), withoutVersions(current.subsets ?? [])) &&
    deepEqual(labels, current.metadata.labels ?? {});
  if (isRight) return undefined;
  const { name, namespace } = service.metadata;
  return {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name, namespace, ...current?.metadata, labels },
    subsets,
  };
}

/** The labels of a service, and one that tells whether it has an address. */
export function headlessLabelsOf({ metadata, spec }: Service, dialect: Dialect): Record<string, string> {
  return labelsWith(metadata.labels, spec.clusterIP, endpointNames(dialect));
}

const labelsOf = ({ metadata, spec }: Service, names: EndpointNames): Record<string, string> =>
  labelsWith(metadata.labels, spec.clusterIP, names);

function labelsWith(
  given: Readonly<Record<string, string>> | undefined,
  clusterIp: string | undefined,
  { headless }: EndpointNames,
): Record<string, string> {
  const { [headless]: _, ...labels } = given ?? {};
  const hasAddress = Boolean(clusterIp) && clusterIp !== 'None';
  return hasAddress ? labels : { ...labels, [headless]: '' };
}

/** A pod that changes elsewhere has another version; that alone is no other endpoint. */
const withoutVersions = (subsets: readonly EndpointSubset[]): unknown =>
  subsets.map(({ ports, addresses, notReadyAddresses }) => ({
    ports: ports ?? [],
    addresses: (addresses ?? []).map(withoutVersion),
    notReadyAddresses: (notReadyAddresses ?? []).map(withoutVersion),
  }));

function withoutVersion({ targetRef, ...address }: EndpointAddress): object {
  if (targetRef === undefined) return address;
  const { resourceVersion: _, ...target } = targetRef;
  return { ...address, targetRef: target };
}

interface Group {
  readonly ports: readonly EndpointPort[];
  readonly ready: EndpointAddress[];
  readonly notReady: EndpointAddress[];
}

/** Addresses that offer the same ports are together, in order of ports and addresses. */
function subsetsOf(service: Service, pods: readonly Pod[], names: EndpointNames): EndpointSubset[] {
  const toleratesUnready = isUnreadyTolerated(service, names);
  const groups = new Map<string, Group>();
  for (const pod of pods) {
    const address = addressOf(pod, service);
    if (address === undefined || (pod.metadata.deletionTimestamp && !toleratesUnready)) continue;
    const ports = portsOf(service, pod);
    if (ports === undefined) continue;
    const isReady = toleratesUnready || isPodReady(pod);
    if (!isReady && !mayBecomeReady(pod)) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    groups.set(key, group);
    (isReady ? group.ready : group.notReady).push(address);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { ports, ready, notReady }]) => ({
      ...(ready.length > 0 && { addresses: ready.sort(byAddress) }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady.sort(byAddress) }),
      ...(ports.length > 0 && { ports: [...ports] }),
    }));
}

function byAddress(a: EndpointAddress, b: EndpointAddress): number {
  const one = `${a.ip} ${a.targetRef?.uid}`;
  const other = `${b.ip} ${b.targetRef?.uid}`;
  return one < other ? -1 : one > other ? 1 : 0;
}

function isUnreadyTolerated({ metadata, spec }: Service, { tolerateUnready }: EndpointNames): boolean {
  const annotated = metadata.annotations?.[tolerateUnready];
  const value = annotated === undefined ? undefined : parseBool(annotated);
  return value ?? spec.publishNotReadyAddresses === true;
}

/** Pods that have ended for good are no endpoints, not even ones that are not ready. */
export function mayBecomeReady({ spec, status }: Pod): boolean {
  if (spec.restartPolicy === 'Never') return status.phase !== 'Failed' && status.phase !== 'Succeeded';
  return spec.restartPolicy !== 'OnFailure' || status.phase !== 'Succeeded';
}

/** Of several addresses that of the first family of the service. */
function ipOf({ podIP, podIPs = [] }: Pod['status'], { spec }: Service): string | undefined {
  const [family] = spec.ipFamilies ?? [];
  if (podIPs.length < 2 || family === undefined) return podIP;
  return podIPs.find(({ ip }) => ip?.includes(':') === (family === 'IPv6'))?.ip;
}

function addressOf({ metadata, spec, status }: Pod, service: Service): EndpointAddress | undefined {
  const ip = ipOf(status, service);
  if (!ip) return undefined;
  const { namespace, name, uid, resourceVersion } = metadata;
  const hasHostname = Boolean(spec.hostname) && spec.subdomain === service.metadata.name;
  return {
    ip,
    ...(hasHostname && { hostname: spec.hostname }),
    ...(spec.nodeName && { nodeName: spec.nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid, resourceVersion },
  };
}

/** What a pod offers of a service, in one order; undefined when that is nothing. A headless service needs no ports. */
function portsOf({ spec }: Service, pod: Pod): EndpointPort[] | undefined {
  const wanted = spec.ports ?? [];
  if (wanted.length === 0) return spec.clusterIP === 'None' ? [] : undefined;
  const found = wanted.flatMap((servicePort) => {
    const port = portIn(pod, servicePort);
    if (port === undefined) return [];
    const { name, protocol, appProtocol } = servicePort;
    return [{ ...(name && { name }), port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
  if (found.length === 0) return undefined;
  const textOf = ({ name = '', port, protocol = '' }: EndpointPort): string => `${name} ${protocol} ${port}`;
  return found.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/** The number of a port; names are those of containers, of the same protocol. */
export function portIn(
  { spec }: Pod,
  { targetPort, port, protocol = 'TCP' }: ServicePort,
): number | undefined {
  if (typeof targetPort !== 'string') return targetPort || port;
  for (const container of spec.containers ?? []) {
    for (const each of container.ports ?? []) {
      if (each.name === targetPort && (each.protocol ?? 'TCP') === protocol) return each.containerPort;
    }
  }
  return undefined;
}
