import type { Pod } from '../../apis/types/core-v1.ts';
import { minGraceMs, type PodVerdict, toDesiredPod } from '../sync/index.ts';

/** From the polite signal to the deadly one, for a pod that is to end: the verdict's, its deletion's, or its own. */
export function endGraceMs(pod: Pod, verdict: PodVerdict | undefined): number {
  if (verdict?.graceMs !== undefined) return verdict.graceMs;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (typeof deletionTimestamp !== 'string' || deletionGracePeriodSeconds === undefined) {
    return toDesiredPod(pod).terminationGraceMs;
  }
  return Math.max(minGraceMs, deletionGracePeriodSeconds * 1000);
}
