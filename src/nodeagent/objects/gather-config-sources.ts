import type { ConfigMap, Container, Pod, Secret } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { type ConfigSources, ContainerConfigError } from '../container-config/index.ts';
import type { AgentObjects } from './contract.ts';
import { environmentReferences } from './pod-references.ts';

/**
 * Config maps and secrets that the environment of a container refers to, as they are now; those that do not exist are
 * left out. Undefined when there is no API server: building the environment then fails when it needs one.
 *
 * @throws ContainerConfigError when the API server cannot tell, with its message.
 */
export async function gatherConfigSources(
  pod: Pod,
  container: Pick<Container, 'env' | 'envFrom'>,
  objects: Pick<AgentObjects, 'configMap' | 'secret'> | undefined,
): Promise<ConfigSources | undefined> {
  if (objects === undefined) return undefined;
  const { namespace = '' } = pod.metadata;
  const references = environmentReferences(container);
  const [configMaps, secrets] = await Promise.all([
    gather<ConfigMap>(references.configMaps, (name) => objects.configMap(namespace, name)),
    gather<Secret>(references.secrets, (name) => objects.secret(namespace, name)),
  ]);
  return { configMaps, secrets };
}

async function gather<T>(
  names: ReadonlySet<string>,
  read: (name: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  await Promise.all(
    Array.from(names, async (name) => {
      try {
        const object = await read(name);
        if (object !== undefined) found.set(name, object);
      } catch (cause) {
        const message = errorText(cause);
        throw new ContainerConfigError(message, { cause });
      }
    }),
  );
  return found;
}
