import type { Pod } from '../../apis/types/core-v1.ts';

/** A pod as messages of release 1.20 name it: `name_namespace(uid)`. */
export function formatPodName({
  metadata: { name = '', namespace = '', uid = '' },
}: Pick<Pod, 'metadata'>): string {
  return `${name}_${namespace}(${uid})`;
}
