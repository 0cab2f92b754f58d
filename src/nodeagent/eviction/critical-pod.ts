import type { Pod } from '../../apis/types/core-v1.ts';

/** Priority from which on pods are part of the system. */
const systemCritical = 2_000_000_000;

/** Whether a pod is never evicted: static ones, and those that the system rests on. */
export function isCriticalPod(pod: Pod, isStatic: (pod: Pod) => boolean): boolean {
  return isStatic(pod) || (pod.spec.priority ?? 0) >= systemCritical;
}
