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
import { type Offer, packSubsets } from './pack-subsets.ts';

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
    deepEqual(subsets, current.subsets ?? []) &&
    // Whether there is an address is told with the next change only.
    deepEqual(withoutHeadless(labels, names), withoutHeadless(current.metadata.labels, names));
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
  names: EndpointNames,
): Record<string, string> {
  const labels = withoutHeadless(given, names);
  const hasAddress = Boolean(clusterIp) && clusterIp !== 'None';
  return hasAddress ? labels : { ...labels, [names.headless]: '' };
}

function withoutHeadless(
  given: Readonly<Record<string, string>> | undefined,
  { headless }: EndpointNames,
): Record<string, string> {
  const { [headless]: _, ...labels } = given ?? {};
  return labels;
}

function subsetsOf(service: Service, pods: readonly Pod[], names: EndpointNames): EndpointSubset[] {
  const toleratesUnready = isUnreadyTolerated(service, names);
  const offers = pods.flatMap((pod): Offer[] => {
    const address = addressOf(pod, service);
    if (address === undefined || (pod.metadata.deletionTimestamp && !toleratesUnready)) return [];
    const isReady = toleratesUnready || isPodReady(pod);
    if (!isReady && !mayBecomeReady(pod)) return [];
    return portsOf(service, pod).map((port) => ({ address, isReady, port }));
  });
  return packSubsets(offers);
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

/** What a pod offers of a service. A headless service needs no ports. */
function portsOf({ spec }: Service, pod: Pod): (EndpointPort | undefined)[] {
  const wanted = spec.ports ?? [];
  if (wanted.length === 0) return spec.clusterIP === 'None' ? [undefined] : [];
  return wanted.flatMap((servicePort) => {
    const port = portIn(pod, servicePort);
    if (port === undefined) return [];
    const { name, protocol, appProtocol } = servicePort;
    return [{ ...(name && { name }), port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
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
