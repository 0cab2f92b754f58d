import type { ConfigOf } from '../../config/index.ts';
import { CtlError, UsageError } from '../errors.ts';
import { parseGoInteger, parseLabelSpec } from '../options/label-spec.ts';
import type { WireObject } from '../resource/api-object.ts';
import { type ExposedPort, labelsOfPods, portsOf, requireExposable } from './exposed-object.ts';
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
