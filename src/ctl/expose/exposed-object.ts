import { asJsonObject, asText } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';

/** A port that a service may lead to. */
export interface ExposedPort {
  readonly port: number;
  readonly protocol: string;
}

const groupsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', ['']],
  ['Service', ['']],
  ['ReplicationController', ['']],
  ['Deployment', ['apps', 'extensions']],
  ['ReplicaSet', ['apps', 'extensions']],
]);

/** @throws CtlError for an object that no service can lead to. */
export function requireExposable({ kind, apiVersion }: WireObject): void {
  const [, group = ''] = apiVersion.split('/').reverse();
  if (groupsOf.get(kind)?.includes(group) !== true) throw new CtlError(`cannot expose a ${kind}`);
}

/** The labels of the pods that belong to an object. @throws CtlError when they cannot be told by labels alone. */
export function labelsOfPods({ kind, metadata, spec }: WireObject): Record<string, string> {
  if (kind === 'Pod') {
    const labels = readLabels(metadata.labels);
    if (Object.keys(labels).length > 0) return labels;
    throw new CtlError('the pod has no labels and cannot be exposed');
  }
  const { selector } = asJsonObject(spec);
  if (kind === 'Service' || kind === 'ReplicationController') {
    if (kind === 'Service' && !selector) throw new CtlError('the service has no pod selector set');
    return readLabels(selector);
  }
  const { matchLabels, matchExpressions } = asJsonObject(selector);
  if (Array.isArray(matchExpressions) && matchExpressions.length > 0) {
    const shown = matchExpressions.map((expression) => JSON.stringify(expression)).join(' ');
    throw new CtlError(`couldn't convert expressions - "[${shown}]" to map-based selector format`);
  }
  if (matchLabels) return readLabels(matchLabels);
  const name = kind === 'Deployment' ? 'deployment' : 'replicaset';
  throw new CtlError(`invalid ${name}: no selectors, therefore cannot be exposed`);
}

function readLabels(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asJsonObject(value)).map(([key, text]) => [key, asText(text)]));
}

/** The ports of an object's containers, or of the service that it is. */
export function portsOf({ kind, spec }: WireObject): ExposedPort[] {
  if (kind === 'Service') return readPorts(asJsonObject(spec).ports, 'port');
  const pod = kind === 'Pod' ? spec : asJsonObject(asJsonObject(spec).template).spec;
  const { containers } = asJsonObject(pod);
  if (!Array.isArray(containers)) return [];
  return containers.flatMap((container) => readPorts(asJsonObject(container).ports, 'containerPort'));
}

function readPorts(ports: unknown, field: 'port' | 'containerPort'): ExposedPort[] {
  if (!Array.isArray(ports)) return [];
  return ports.map(asJsonObject).map((port) => ({
    port: Number(port[field]),
    protocol: asText(port.protocol) || 'TCP',
  }));
}
