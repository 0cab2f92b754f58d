import { podNodeMatcher } from '../../apis/core/index.ts';
import { ownValue } from '../../base/index.ts';
import type { Cluster } from '../cluster.ts';
import {
  compileConstraint,
  hasLabels,
  placeOf,
  type SpreadConstraint,
  selectedCounter,
} from '../filters/index.ts';
import type { NodeInfo } from '../node-info.ts';
import { type AffinityTerm, matchesTerm, type PodInfo } from '../pod-info.ts';
import { maxScore, type ScorePlugin } from './score.ts';

/** How much a requirement of another pod counts for this one to be near it. */
const requiredWeight = 1;

/** Pods that the pod prefers near or far, and that prefer it. Source: release 1.20, `interpodaffinity/scoring.go`. */
export const podAffinityScore: ScorePlugin = (pod, nodes, cluster) => {
  const sums = new Map<string, number>();
  const add = (
    term: AffinityTerm,
    of: { readonly wanted: PodInfo; readonly node: NodeInfo; readonly weight: number },
  ) => {
    const place = matchesTerm(term, of.wanted) ? placeOf(term, of.node) : undefined;
    if (place !== undefined) sums.set(place, (sums.get(place) ?? 0) + of.weight);
  };
  const prefers = pod.preferredNear.length + pod.preferredFar.length > 0;
  for (const node of cluster.nodes()) {
    for (const other of prefers ? node.pods() : node.podsWithAffinity()) {
      for (const term of pod.preferredNear) add(term, { wanted: other, node, weight: term.weight });
      for (const term of pod.preferredFar) add(term, { wanted: other, node, weight: -term.weight });
      for (const term of other.near) add(term, { wanted: pod, node, weight: requiredWeight });
      for (const term of other.preferredNear) add(term, { wanted: pod, node, weight: term.weight });
      for (const term of other.preferredFar) add(term, { wanted: pod, node, weight: -term.weight });
    }
  }
  if (sums.size === 0) return undefined;
  const scores = nodes.map(({ labels }) =>
    Object.entries(labels).reduce((total, [key, value]) => total + (sums.get(`${key}=${value}`) ?? 0), 0),
  );
  // Release 1.20 begins both at zero.
  const [least, most] = [Math.min(0, ...scores), Math.max(0, ...scores)];
  if (most === least) return scores.map(() => 0);
  return scores.map((score) => Math.trunc(maxScore * ((score - least) / (most - least))));
};

/** Spread of pods that belong together, where nobody says anything else. Source: release 1.20, `podtopologyspread/plugin.go`. */
const usualConstraints = [
  { domain: '', name: 'hostname', maxSkew: 3 },
  { domain: 'topology', name: 'zone', maxSkew: 5 },
];

/** How evenly pods are spread that belong together. Source: release 1.20, `podtopologyspread/scoring.go`. */
export const spreadScore: ScorePlugin = (pod, nodes, cluster) => {
  const { constraints, needsLabels } = softConstraints(pod, cluster);
  if (constraints.length === 0) return undefined;
  const isIgnored = (node: NodeInfo): boolean => needsLabels && !hasLabels(node, constraints);
  const counted = nodes.filter((node) => !isIgnored(node));
  const parts = constraints.map((constraint) =>
    countPlaces(constraint, { pod, counted, cluster, isIgnored }),
  );
  const scores = nodes.map((node) => {
    if (isIgnored(node)) return undefined;
    return Math.trunc(parts.reduce((total, scoreOf) => total + scoreOf(node), 0));
  });
  const known = scores.filter((score) => score !== undefined);
  const [least, most] = [Math.min(...known), Math.max(0, ...known)];
  return scores.map((score) => {
    if (score === undefined) return 0;
    return most === 0 ? maxScore : Math.trunc((maxScore * (most + least - score)) / most);
  });
};

function softConstraints(
  pod: PodInfo,
  { dialect, lookups }: Cluster,
): { readonly constraints: readonly SpreadConstraint[]; readonly needsLabels: boolean } {
  const { topologySpreadConstraints: own = [] } = pod.pod.spec;
  if (own.length > 0) {
    const soft = own.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
    return { constraints: soft.map(compileConstraint), needsLabels: true };
  }
  const selector = lookups.groupOf(pod);
  if (selector === undefined) return { constraints: [], needsLabels: false };
  const constraints = usualConstraints.map(({ domain, name, maxSkew }) => ({
    maxSkew,
    selector,
    topologyKey: domain === '' ? dialect.label(name) : dialect.domain(domain, name),
  }));
  return { constraints, needsLabels: false };
}

interface SpreadSituation {
  readonly pod: PodInfo;
  /** Nodes that the pod could be on and that have a place. */
  readonly counted: readonly NodeInfo[];
  readonly cluster: Cluster;
  readonly isIgnored: (node: NodeInfo) => boolean;
}

/** How much speaks against a node by one constraint. */
function countPlaces(
  { topologyKey, selector, maxSkew }: SpreadConstraint,
  { pod, counted, cluster, isIgnored }: SpreadSituation,
): (node: NodeInfo) => number {
  const isHost = topologyKey === cluster.dialect.label('hostname');
  const placeIn = ({ labels }: NodeInfo) => ownValue(labels, topologyKey);
  const countOn = selectedCounter(pod, selector);
  const counts = new Map<string, number>();
  if (!isHost) {
    for (const node of counted) {
      const value = placeIn(node);
      if (value !== undefined) counts.set(value, 0);
    }
    const isAllowed = podNodeMatcher(pod.pod) ?? (() => true);
    for (const node of cluster.nodes()) {
      const value = placeIn(node);
      const before = value === undefined ? undefined : counts.get(value);
      if (value === undefined || before === undefined || isIgnored(node) || !isAllowed(node)) continue;
      counts.set(value, before + countOn(node));
    }
  }
  const places = isHost ? counted.length : counts.size;
  const weight = Math.log(places + 2);
  return (node) => {
    const value = placeIn(node);
    if (value === undefined) return 0;
    const count = isHost ? countOn(node) : (counts.get(value) ?? 0);
    return count * weight + (maxSkew - 1);
  };
}
