import { isEnvVarName } from '../../apis/validation/index.ts';
import type { ConfigOf } from '../../config/index.ts';
import { parseQuantity, QuantityError } from '../../machinery/values/index.ts';
import { CtlError, UsageError } from '../errors.ts';
import { parseGoInteger, parseLabelSpec } from '../options/label-spec.ts';
import { isPullPolicy } from '../options/new-container.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { RunOptions } from './options.ts';

const restartPolicies = ['Always', 'OnFailure', 'Never'];

/** When the pod's container starts again. @throws UsageError for no such policy */
export function readRestartPolicy({ restart }: ConfigOf<RunOptions>): string {
  const policy = restart || 'Always';
  if (restartPolicies.includes(policy)) return policy;
  throw new UsageError(`invalid restart policy: ${policy}`);
}

/** The pod that flags and the words behind its name describe. @throws CtlError, UsageError */
export function makePod(name: string, words: readonly string[], options: ConfigOf<RunOptions>): WireObject {
  const restartPolicy = readRestartPolicy(options);
  const { imagePullPolicy, serviceaccount, stdin, tty } = options;
  if (imagePullPolicy && !isPullPolicy(imagePullPolicy)) {
    throw new UsageError(`invalid image pull policy: ${imagePullPolicy}`);
  }
  const annotations = readAnnotations(options.annotations);
  const labels = options.labels ? parseLabelSpec(options.labels) : { run: name };
  const env = options.env.map(readVariable);
  const resources = {
    ...(options.limits && { limits: readResources(options.limits) }),
    ...(options.requests && { requests: readResources(options.requests) }),
  };
  const container = {
    name,
    image: options.image,
    ...(words.length > 0 && { [options.command ? 'command' : 'args']: words }),
    ...readPorts(options),
    ...(env.length > 0 && { env }),
    resources,
    ...(imagePullPolicy && { imagePullPolicy }),
    ...(options.privileged && { securityContext: { privileged: true } }),
    ...(stdin && { stdin: true, ...(!options.leaveStdinOpen && { stdinOnce: true }) }),
    ...(tty && { tty: true }),
  };
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, labels, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      containers: [container],
      restartPolicy,
      dnsPolicy: 'ClusterFirst',
      ...(serviceaccount && { serviceAccountName: serviceaccount }),
    },
  };
}

function readAnnotations(texts: readonly string[]): Record<string, string> {
  const pairs = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new CtlError(`invalid annotations format: ${text}`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

function readVariable(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(at, 0));
  if (name === '' || isEnvVarName(name).length > 0) throw new CtlError(`invalid env: ${text}`);
  return { name, value: text.slice(at + 1) };
}

function readResources(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [resource = '', amount, ...rest] = pair.split('=');
    if (amount === undefined || rest.length > 0) {
      throw new CtlError(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
    }
    return [resource, checkQuantity(amount)] as const;
  });
  return Object.fromEntries(pairs);
}

function checkQuantity(text: string): string {
  try {
    parseQuantity(text);
    return text;
  } catch (error) {
    if (error instanceof QuantityError) throw new CtlError(error.message);
    throw error;
  }
}

function readPorts({ port, hostport }: ConfigOf<RunOptions>): { readonly ports?: readonly object[] } {
  if (!port) {
    if (hostport > 0) throw new CtlError('--hostport requires --port to be specified');
    return {};
  }
  const containerPort = parseGoInteger(port);
  return { ports: [{ containerPort, ...(hostport > 0 && { hostPort: hostport }) }] };
}

const domain = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const word = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const tag = '\\w[\\w.-]{0,127}';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
/** Grammar of the container image reference format. */
const reference = new RegExp(
  `^(?:${domain}(?:\\.${domain})*(?::[0-9]+)?/)?${word}(?:/${word})*(?::${tag})?(?:@${digest})?$`,
);

/** Whether a text can name an image. */
export function isImageName(text: string): boolean {
  return reference.test(text);
}

/** @throws CtlError for what names no image. */
export function requireImage(image: string): void {
  if (image === '') throw new CtlError('--image is required');
  if (isImageName(image)) return;
  throw new CtlError(`Invalid image name ${JSON.stringify(image)}: invalid reference format`);
}

/** The service that leads to the port of such a pod. */
export function makeServiceOf(
  { metadata: { name, labels } }: WireObject,
  { port = '', serviceGenerator }: ConfigOf<RunOptions>,
): WireObject {
  const number = parseGoInteger(port);
  const named = serviceGenerator === 'service/v1' ? { name: 'default' } : {};
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name },
    spec: { ports: [{ ...named, protocol: 'TCP', port: number, targetPort: number }], selector: labels },
  };
}

/** @throws CtlError for a way of making services that there is not */
export function checkGenerator({ serviceGenerator }: ConfigOf<RunOptions>): void {
  if (serviceGenerator === 'service/v1' || serviceGenerator === 'service/v2') return;
  throw serviceGenerator === ''
    ? new UsageError('No service generator specified')
    : new CtlError(`missing service generator: ${serviceGenerator}`);
}
