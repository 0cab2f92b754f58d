import type { Container, Pod, Volume } from '../../apis/types/core-v1.ts';

/** Names of objects in a pod's namespace that it refers to. */
export interface PodReferences {
  readonly configMaps: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

interface Names {
  readonly configMaps: Set<string>;
  readonly secrets: Set<string>;
}

/** Config maps and secrets that a pod refers to anywhere: in variables, volumes, and for pulling images. */
export function podReferences({ spec }: Pod): PodReferences {
  const names: Names = { configMaps: new Set(), secrets: new Set() };
  const { containers, initContainers, ephemeralContainers, volumes, imagePullSecrets } = spec;
  for (const list of [containers, initContainers, ephemeralContainers]) {
    for (const container of list ?? []) addEnvironment(names, container);
  }
  for (const volume of volumes ?? []) addVolume(names, volume);
  for (const { name } of imagePullSecrets ?? []) add(names.secrets, name);
  return names;
}

/** Config maps and secrets that the environment of a container refers to. */
export function environmentReferences(container: Pick<Container, 'env' | 'envFrom'>): PodReferences {
  const names: Names = { configMaps: new Set(), secrets: new Set() };
  addEnvironment(names, container);
  return names;
}

function addEnvironment(names: Names, { env, envFrom }: Pick<Container, 'env' | 'envFrom'>): void {
  for (const { configMapRef, secretRef } of envFrom ?? []) {
    add(names.configMaps, configMapRef?.name);
    add(names.secrets, secretRef?.name);
  }
  for (const { valueFrom } of env ?? []) {
    add(names.configMaps, valueFrom?.configMapKeyRef?.name);
    add(names.secrets, valueFrom?.secretKeyRef?.name);
  }
}

function addVolume(names: Names, { configMap, secret, projected }: Volume): void {
  add(names.configMaps, configMap?.name);
  add(names.secrets, secret?.secretName);
  for (const source of projected?.sources ?? []) {
    add(names.configMaps, source.configMap?.name);
    add(names.secrets, source.secret?.name);
  }
}

function add(names: Set<string>, name: string | undefined): void {
  if (name !== undefined && name !== '') names.add(name);
}
