import type { Pod } from '../../apis/types/core-v1.ts';

/** Namespace and name of a pod, as one key. */
export function podKey({ metadata }: Pod): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
