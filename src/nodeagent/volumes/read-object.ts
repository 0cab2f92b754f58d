import type { ConfigMap, Pod, Secret } from '../../apis/types/core-v1.ts';
import type { AgentObjects } from '../objects/index.ts';

/** An object of the pod's namespace. */
export interface ObjectReference {
  readonly name: string;
  readonly isOptional: boolean;
}

const nothing = {};

/** The config map, without entries when it is missing and optional. @throws Error with release 1.20's message. */
export async function readConfigMap(
  { metadata: { namespace = '' } }: Pod,
  { name, isOptional }: ObjectReference,
  objects: AgentObjects | undefined,
): Promise<Partial<ConfigMap>> {
  if (objects === undefined)
    throw new Error('failed to sync configmap cache: timed out waiting for the condition');
  const found = await objects.configMap(namespace, name);
  if (found === undefined && !isOptional) throw new Error(`configmap "${name}" not found`);
  return found ?? nothing;
}

/** The secret, without entries when it is missing and optional. @throws Error with release 1.20's message. */
export async function readSecret(
  { metadata: { namespace = '' } }: Pod,
  { name, isOptional }: ObjectReference,
  objects: AgentObjects | undefined,
): Promise<Partial<Secret>> {
  if (objects === undefined)
    throw new Error('failed to sync secret cache: timed out waiting for the condition');
  const found = await objects.secret(namespace, name);
  if (found === undefined && !isOptional) throw new Error(`secret "${name}" not found`);
  return found ?? nothing;
}
