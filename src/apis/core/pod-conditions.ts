import type { Pod, PodCondition } from '../types/core-v1.ts';

/**
 * Sets a condition of a pod's status. `now` becomes the time of transition unless the condition had this status
 * already; times of the last probe are given or kept empty.
 */
export function setPodCondition(
  pod: Pod,
  condition: Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>,
  now: string,
): void {
  const conditions = pod.status.conditions ?? [];
  const present = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[present];
  const isSame = before?.status === condition.status;
  const updated: PodCondition = {
    ...condition,
    lastProbeTime: null,
    lastTransitionTime: isSame ? before.lastTransitionTime : now,
  };
  pod.status.conditions = before === undefined ? [...conditions, updated] : conditions.with(present, updated);
}
