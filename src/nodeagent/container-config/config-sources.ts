import type { ConfigMap, Pod, Secret } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { ContainerConfigError } from './config-error.ts';

/** Config maps and secrets of a pod's namespace, by name. Those that the pod refers to are enough. */
export interface ConfigSources {
  readonly configMaps: ReadonlyMap<string, ConfigMap>;
  readonly secrets: ReadonlyMap<string, Secret>;
}

interface FindOptions {
  readonly pod: Pod;
  readonly sources: ConfigSources | undefined;
  readonly dialect: Dialect;
}

/**
 * The config map or secret that a pod refers to; undefined when it is missing and optional.
 *
 * @throws ContainerConfigError when it is missing and needed, or when there is no API server to ask.
 */
export function findSource(
  kind: 'configMap' | 'secret',
  { name = '', optional }: { name?: string | undefined; optional?: boolean | undefined },
  { pod, sources, dialect }: FindOptions,
): ConfigMap | Secret | undefined {
  if (sources === undefined) {
    const why = dialect.spell('no orchClient defined');
    throw new ContainerConfigError(`couldn't get ${kind} ${pod.metadata.namespace}/${name}, ${why}`);
  }
  const found = (kind === 'configMap' ? sources.configMaps : sources.secrets).get(name);
  if (found === undefined && optional !== true) {
    throw new ContainerConfigError(`${kind.toLowerCase()} "${name}" not found`);
  }
  return found;
}
