import type { Pod } from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { isQualifiedName } from '../../machinery/formats/index.ts';
import { ContainerConfigError } from './config-error.ts';

/** What only the agent knows of a pod that is about to run. */
export interface PodAddresses {
  readonly podIps: readonly string[];
  /** Addresses of the node, the first one first. */
  readonly hostIps: readonly string[];
}

const names = new Map<string, (pod: Pod, addresses: PodAddresses) => string>([
  ['metadata.name', (pod) => pod.metadata.name ?? ''],
  ['metadata.namespace', (pod) => pod.metadata.namespace ?? ''],
  ['metadata.uid', (pod) => pod.metadata.uid ?? ''],
  ['metadata.labels', (pod) => formatMap(pod.metadata.labels)],
  ['metadata.annotations', (pod) => formatMap(pod.metadata.annotations)],
  ['spec.nodeName', (pod) => pod.spec.nodeName ?? ''],
  ['spec.host', (pod) => pod.spec.nodeName ?? ''],
  ['spec.serviceAccountName', (pod) => pod.spec.serviceAccountName ?? ''],
  ['status.hostIP', (_pod, { hostIps }) => firstHostIp(hostIps)],
  ['status.podIP', (_pod, { podIps }) => podIps[0] ?? ''],
  ['status.podIPs', (_pod, { podIps }) => podIps.join(',')],
]);

/**
 * A field of a pod as its containers see it, by paths such as `metadata.name` and `metadata.labels['app']`. Labels and
 * annotations as a whole are lines of `key="value"`, sorted.
 *
 * @throws ContainerConfigError for a path that is not offered.
 */
export function extractPodField(pod: Pod, path: string, addresses: PodAddresses): string {
  if (path.endsWith("']") && path.indexOf("['") > 0) return extractEntry(pod, path);
  const read = names.get(path);
  if (read === undefined) throw new ContainerConfigError(`field label not supported: ${path}`);
  return read(pod, addresses);
}

function extractEntry({ metadata }: Pod, path: string): string {
  const start = path.indexOf("['");
  const [map, key] = [path.slice(0, start), path.slice(start + 2, -2)];
  if (map !== 'metadata.labels' && map !== 'metadata.annotations') {
    throw new ContainerConfigError(`field label does not support subscript: ${path}`);
  }
  const isAnnotation = map === 'metadata.annotations';
  const problems = isQualifiedName(isAnnotation ? key.toLowerCase() : key);
  if (problems.length > 0) {
    throw new ContainerConfigError(`invalid key subscript in ${path}: ${problems.join(';')}`);
  }
  return ownValue(isAnnotation ? metadata.annotations : metadata.labels, key) ?? '';
}

function formatMap(map: Readonly<Record<string, string>> = {}): string {
  const keys = Object.keys(map).sort();
  return keys.map((key) => `${key}=${quoteGo(map[key] ?? '')}`).join('\n');
}

function firstHostIp([first]: readonly string[]): string {
  if (first === undefined) throw new ContainerConfigError('host IP unknown');
  return first;
}
