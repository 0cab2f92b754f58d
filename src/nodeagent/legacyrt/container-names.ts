import type { Dialect } from '../../machinery/dialect.ts';
import type { ContainerMetadata, PodSandboxMetadata } from '../runtime/index.ts';

/** Stands for the container's name in that of a sandbox; no container can be called so. */
const sandboxMark = 'POD';

/** First part of all names: what groups of the API have before their last dot. */
export function namePrefix(dialect: Dialect): string {
  return dialect.group('storage').split('.')[1] ?? '';
}

/** `PREFIX_POD_pod_namespace_uid_attempt`: no part may have an underscore. */
export function sandboxName(prefix: string, { name, namespace, uid, attempt }: PodSandboxMetadata): string {
  return [prefix, sandboxMark, name, namespace, uid, attempt].join('_');
}

/** `PREFIX_container_pod_namespace_uid_attempt`. */
export function containerName(prefix: string, container: ContainerMetadata, pod: PodSandboxMetadata): string {
  return [prefix, container.name, pod.name, pod.namespace, pod.uid, container.attempt].join('_');
}

/** Undefined for names that `sandboxName` does not make: the driver ignores containers that it did not create. */
export function parseSandboxName(prefix: string, engineName: string): PodSandboxMetadata | undefined {
  const parts = parseName(prefix, engineName);
  if (parts === undefined || parts.name !== sandboxMark) return undefined;
  return { name: parts.pod, namespace: parts.namespace, uid: parts.uid, attempt: parts.attempt };
}

/** Undefined for names that `containerName` does not make. */
export function parseContainerName(prefix: string, engineName: string): ContainerMetadata | undefined {
  const parts = parseName(prefix, engineName);
  if (parts === undefined || parts.name === sandboxMark) return undefined;
  return { name: parts.name, attempt: parts.attempt };
}

function parseName(prefix: string, engineName: string) {
  // The engine leads names with a slash; a seventh part is what older agents put behind a name that was taken.
  const [first, name, pod, namespace, uid, attempt] = engineName.replace(/^\//, '').split('_');
  if (first !== prefix || !name || !pod || !namespace || !uid || !/^\d{1,9}$/.test(attempt ?? ''))
    return undefined;
  return { name, pod, namespace, uid, attempt: Number(attempt) };
}
