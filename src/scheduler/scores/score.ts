import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

/** The best score of a node. */
export const maxScore = 100;

/** Scores of nodes for a pod, from 0 to `maxScore`, in the order of the nodes. */
export type ScorePlugin = (
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  cluster: Cluster,
) => readonly number[] | undefined;

/** Stretches counts so that the largest is the best score, or with `isReversed` the worst. */
export function normalize(counts: readonly number[], isReversed: boolean): readonly number[] {
  const most = Math.max(0, ...counts);
  if (most === 0) return counts.map(() => (isReversed ? maxScore : 0));
  return counts.map((count) => {
    const score = Math.trunc((maxScore * count) / most);
    return isReversed ? maxScore - score : score;
  });
}
