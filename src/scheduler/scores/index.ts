/** Scores: each says how good nodes are for a pod. With the weights of release 1.20's default profile. */
import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import {
  balancedScore,
  imageScore,
  leastAllocatedScore,
  preferAvoidScore,
  preferredAffinityScore,
  taintScore,
} from './node-scores.ts';
import { podAffinityScore, spreadScore } from './pod-scores.ts';
import type { ScorePlugin } from './score.ts';

const weighted: readonly { readonly score: ScorePlugin; readonly weight: number }[] = [
  { score: balancedScore, weight: 1 },
  { score: imageScore, weight: 1 },
  { score: podAffinityScore, weight: 1 },
  { score: leastAllocatedScore, weight: 1 },
  { score: preferredAffinityScore, weight: 1 },
  { score: preferAvoidScore, weight: 10_000 },
  { score: spreadScore, weight: 2 },
  { score: taintScore, weight: 1 },
];

/** The sum of all scores of each node. */
export function scoreNodes(pod: PodInfo, nodes: readonly NodeInfo[], cluster: Cluster): readonly number[] {
  const sums = nodes.map(() => 0);
  for (const { score, weight } of weighted) {
    const scores = score(pod, nodes, cluster);
    if (scores === undefined) continue;
    for (const [at, each] of scores.entries()) sums[at] = (sums[at] ?? 0) + weight * each;
  }
  return sums;
}
