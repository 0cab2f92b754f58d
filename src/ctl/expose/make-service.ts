import { asJsonObject, asText } from '../../base/index.ts';
import type { ConfigOf } from '../../config/index.ts';
import { CtlError, UsageError } from '../errors.ts';
import { parseGoInteger, parseLabelSpec } from '../options/label-spec.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { ExposeOptions } from './options.ts';

/** Names of services are labels of hosts. */
const maxNameLength = 63;

/** The service that leads to the pods of an object, as flags and the object say. @throws CtlError, UsageError */
export function makeService(object: WireObject, options: ConfigOf<ExposeOptions>): WireObject {
  requireExposable(object);
  const selector = readSelector(object, options.selector ?? '');
  const found = portsOf(object);
  const isHeadless = options.clusterIp === 'None';
  const given = options.port ? options.port.split(',') : found.map(({ port }) => String(port));
  if (given.length === 0 && !isHeadless) {
    throw new UsageError("couldn't find port via --port flag or introspection");
  }
  const { labels } = object.metadata;
  const ownLabels = options.labels ? parseLabelSpec(options.labels) : labels;
  const ports = given.map((text, index) =>
    makePort(text, { options, found, name: nameOfPort(options, given.length, index) }),
  );
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: options.name || (object.metadata.name ?? '').slice(0, maxNameLength),
      ...(ownLabels && Object.keys(ownLabels).length > 0 && { labels: ownLabels }),
    },
    spec: { ...(ports.length > 0 && { ports }), selector, ...addressFields(options) },
  };
}

function readSelector(object: WireObject, text: string): Record<string, string> {
  if (text !== '') return parseLabelSpec(text);
  try {
    return labelsOfPods(object);
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    throw new UsageError(
      `couldn't retrieve selectors via --selector flag or introspection: ${error.message}`,
    );
  }
}

/** Several ports need names. */
function nameOfPort({ generator }: ConfigOf<ExposeOptions>, count: number, index: number): string {
  if (count > 1) return `port-${index + 1}`;
  return generator === 'service/v1' ? 'default' : '';
}

interface PortSource {
  readonly options: ConfigOf<ExposeOptions>;
  readonly found: readonly ExposedPort[];
  readonly name: string;
}

function makePort(text: string, { options, found, name }: PortSource): Record<string, unknown> {
  const port = parseGoInteger(text);
  const target = options.targetPort ?? '';
  const known = found.find((each) => each.port === port)?.protocol;
  return {
    ...(name !== '' && { name }),
    protocol: options.protocol || known || 'TCP',
    port,
    targetPort: target === '' ? port : /^[+-]?\d+$/.test(target) ? Number(target) : target,
  };
}

function addressFields(options: ConfigOf<ExposeOptions>): Record<string, unknown> {
  const { clusterIp, type, externalIp, loadBalancerIp, sessionAffinity } = options;
  if (sessionAffinity && sessionAffinity !== 'None' && sessionAffinity !== 'ClientIP') {
    throw new CtlError(`unknown session affinity: ${sessionAffinity}`);
  }
  return {
    ...(clusterIp && { clusterIP: clusterIp }),
    ...(type && { type }),
    ...(externalIp && { externalIPs: [externalIp] }),
    ...(sessionAffinity && { sessionAffinity }),
    ...(type === 'LoadBalancer' && loadBalancerIp && { loadBalancerIP: loadBalancerIp }),
  };
}

/** A port that a service may lead to. */
interface ExposedPort {
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
function requireExposable({ kind, apiVersion }: WireObject): void {
  const [, group = ''] = apiVersion.split('/').reverse();
  if (groupsOf.get(kind)?.includes(group) !== true) {
    throw new CtlError(`cannot expose a ${group === '' ? kind : `${kind}.${group}`}`);
  }
}

/** The labels of the pods that belong to an object. @throws CtlError when they cannot be told by labels alone. */
function labelsOfPods({ kind, metadata, spec }: WireObject): Record<string, string> {
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
function portsOf({ kind, spec }: WireObject): ExposedPort[] {
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
