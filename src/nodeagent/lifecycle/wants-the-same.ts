import type { Pod } from '../../apis/types/core-v1.ts';

/** Whether two versions of a pod differ in nothing but their status and what servers note in passing. */
export function wantsTheSame(a: Pod, b: Pod): boolean {
  return a === b || JSON.stringify(wishesOf(a)) === JSON.stringify(wishesOf(b));
}

function wishesOf({ metadata, spec }: Pod): unknown {
  const { labels, annotations, deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  return [spec, labels, annotations, deletionTimestamp, deletionGracePeriodSeconds];
}
