import type { Pod } from '../../apis/types/core-v1.ts';
import { minGraceMs, type PodVerdict, toDesiredPod } from '../sync/index.ts';

/** From SIGTERM to SIGKILL, for a pod that is to end: the verdict's, its deletion's, or its own. */
export function endGraceMs(pod: Pod, verdict: PodVerdict | undefined): number {
  if (verdict?.graceMs !== undefined) return verdict.graceMs;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (typeof deletionTimestamp !== 'string' || deletionGracePeriodSeconds === undefined) {
    return toDesiredPod(pod).terminationGraceMs;
  }
  return Math.max(minGraceMs, deletionGracePeriodSeconds * 1000);
}

/** The verdict that was passed first, with the shortest grace that any of the two gives. */
export function stricterVerdict(before: PodVerdict | undefined, verdict: PodVerdict): PodVerdict {
  if (before === undefined || verdict.graceMs === undefined) return before ?? verdict;
  return { ...before, graceMs: Math.min(before.graceMs ?? Number.POSITIVE_INFINITY, verdict.graceMs) };
}
