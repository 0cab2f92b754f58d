import type { Pod, PodCondition } from '../../apis/types/core-v1.ts';

/** Whether a pod has not ended and is not being deleted: what counts as a replica. */
export const isPodActive = ({ metadata, status }: Pod): boolean =>
  status?.phase !== 'Succeeded' && status?.phase !== 'Failed' && !metadata.deletionTimestamp;

export const readyConditionOf = ({ status }: Pod): PodCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready');

export const isPodReady = (pod: Pod): boolean => readyConditionOf(pod)?.status === 'True';

/**
 * When a pod that stays ready will have been so for long enough, in milliseconds; undefined for one that is not ready. Times
 * of conditions are whole seconds, and the time must have passed. Source: release 1.20, `IsPodAvailable`.
 */
function availableAtMs(pod: Pod, minReadySeconds: number): number | undefined {
  const ready = readyConditionOf(pod);
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  return Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 + 1;
}

/** When the next of the pods will have been ready for long enough; undefined when none is to become that with time. */
export function nextAvailableAtMs(
  pods: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  if (minReadySeconds === 0) return undefined;
  const later = pods.flatMap((pod) => availableAtMs(pod, minReadySeconds) ?? []);
  const nextMs = Math.min(...later.filter((atMs) => atMs > nowMs));
  return Number.isFinite(nextMs) ? nextMs : undefined;
}

/** Whether a pod has been ready for `minReadySeconds`. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const atMs = availableAtMs(pod, minReadySeconds);
  return atMs !== undefined && atMs <= nowMs;
}
