import type {
  ConfigMap,
  Container,
  EnvFromSource,
  EnvVarSource,
  Pod,
  Secret,
  Service,
} from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isEnvVarName } from '../../machinery/formats/index.ts';
import type { EnvironmentVariable } from '../runtime/index.ts';
import { ContainerConfigError } from './config-error.ts';
import { type ConfigSources, findSource } from './config-sources.ts';
import { expandVariables, maxExpandedLength, referenceValue } from './expand-variables.ts';
import type { ConfigNotice } from './notice.ts';
import { extractPodField, type PodAddresses } from './pod-field.ts';
import { extractResourceField } from './resource-field.ts';
import { serviceVariables } from './service-variables.ts';

/** What the environment of a container is computed from. */
export interface EnvironmentOptions extends PodAddresses {
  readonly pod: Pod;
  readonly container: Container;
  /** Of all namespaces; empty when the agent has no API server. */
  readonly services: readonly Service[];
  readonly masterServiceNamespace: string;
  /** Undefined when the agent has no API server. */
  readonly sources: ConfigSources | undefined;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly dialect: Dialect;
}

/** Variables in the order in which they were first named, and what the user should know about them. */
export interface Environment {
  readonly variables: readonly EnvironmentVariable[];
  readonly notices: readonly ConfigNotice[];
}

/**
 * The environment of a container: what comes from config maps and secrets as a whole, over it the single variables, and
 * under both the variables of services. A later one of a name replaces an earlier one. `$(NAME)` in a value refers to
 * what is known by then, to services last.
 *
 * @throws ContainerConfigError with release 1.20's message when a source is missing that is not optional.
 */
export function buildEnvironment(options: EnvironmentOptions): Environment {
  const { pod, container } = options;
  const fromServices = serviceVariables({
    services: options.services,
    namespace: pod.metadata.namespace ?? '',
    isLinked: pod.spec.enableServiceLinks !== false,
    masterServiceNamespace: options.masterServiceNamespace,
    dialect: options.dialect,
  });
  const own = new Map<string, string>();
  const notices: ConfigNotice[] = [];
  for (const source of container.envFrom ?? []) addAll(own, source, notices, options);
  const resolve = (name: string): string => referenceValue(name, own.get(name) ?? fromServices.get(name));
  let left = maxExpandedLength;
  for (const { name, value = '', valueFrom } of container.env ?? []) {
    const found = value !== '' ? expandVariables(value, resolve, left) : resolveSource(valueFrom, options);
    if (found === undefined) continue;
    left -= found.length;
    own.set(name, found);
  }
  for (const [name, value] of fromServices) if (!own.has(name)) own.set(name, value);
  return { variables: Array.from(own, ([name, value]) => ({ name, value })), notices };
}

function addAll(
  variables: Map<string, string>,
  { prefix = '', configMapRef, secretRef }: EnvFromSource,
  notices: ConfigNotice[],
  options: EnvironmentOptions,
): void {
  const reference = configMapRef ?? secretRef;
  if (reference === undefined) return;
  const kind = configMapRef ? 'configMap' : 'secret';
  const source = findSource(kind, reference, options);
  if (source === undefined) return;
  const invalid: string[] = [];
  for (const key of Object.keys(source.data ?? {}).sort()) {
    const name = prefix + key;
    if (isEnvVarName(name).length > 0) invalid.push(name);
    else variables.set(name, readEntry(kind, source, key) ?? '');
  }
  if (invalid.length > 0) {
    const what = `${kind} ${options.pod.metadata.namespace}/${reference.name ?? ''}`;
    const message = `Keys [${invalid.sort().join(', ')}] from the EnvFrom ${what} were skipped since they are considered invalid environment variable names.`;
    notices.push({ about: 'pod', reason: 'InvalidEnvironmentVariableNames', message });
  }
}

/** Undefined when an optional source is missing: the variable stays what it was. */
function resolveSource(from: EnvVarSource | undefined, options: EnvironmentOptions): string | undefined {
  if (from?.fieldRef) return extractPodField(options.pod, from.fieldRef.fieldPath, options);
  if (from?.resourceFieldRef) return extractResourceField(from.resourceFieldRef, options);
  if (from?.configMapKeyRef) return findEntry('configMap', from.configMapKeyRef, options);
  if (from?.secretKeyRef) return findEntry('secret', from.secretKeyRef, options);
  return '';
}

function findEntry(
  kind: 'configMap' | 'secret',
  reference: { name?: string | undefined; key: string; optional?: boolean | undefined },
  options: EnvironmentOptions,
): string | undefined {
  const source = findSource(kind, reference, options);
  if (source === undefined) return undefined;
  const value = readEntry(kind, source, reference.key);
  if (value !== undefined || reference.optional === true) return value;
  const shown = kind === 'configMap' ? 'ConfigMap' : 'Secret';
  const where = `${options.pod.metadata.namespace}/${reference.name ?? ''}`;
  throw new ContainerConfigError(`couldn't find key ${reference.key} in ${shown} ${where}`);
}

function readEntry(
  kind: 'configMap' | 'secret',
  source: ConfigMap | Secret,
  key: string,
): string | undefined {
  const value = ownValue(source.data, key);
  return value === undefined || kind === 'configMap' ? value : Buffer.from(value, 'base64').toString('utf8');
}
