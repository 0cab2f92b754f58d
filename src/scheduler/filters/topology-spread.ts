import { podNodeMatcher } from '../../apis/core/index.ts';
import type { TopologySpreadConstraint } from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import type { LabelSelector } from '../../machinery/selectors/index.ts';
import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import { compileSelector, type PodInfo } from '../pod-info.ts';
import { type FilterPlugin, type PodFilter, type Refusal, resolvable, unresolvable } from './filter.ts';

/** How evenly pods of a kind are to be spread. */
export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: LabelSelector;
}

export const compileConstraint = (given: TopologySpreadConstraint): SpreadConstraint => ({
  maxSkew: given.maxSkew,
  topologyKey: given.topologyKey,
  selector: compileSelector(given.labelSelector),
});

/** Counts the pods on a node that a constraint of the pod counts: those that end do not count any more. */
export function selectedCounter({ namespace }: PodInfo, selector: LabelSelector): (node: NodeInfo) => number {
  // Selectors of all and of no pods have the same text.
  const key = `${namespace} ${selector.isEmpty} ${selector}`;
  const isCounted = (other: PodInfo): boolean => isSelected(other, namespace, selector);
  return (node) => node.countPods(key, isCounted);
}

const isSelected = (pod: PodInfo, namespace: string, selector: LabelSelector): boolean =>
  pod.namespace === namespace &&
  pod.pod.metadata.deletionTimestamp === undefined &&
  selector.matches(pod.labels);

const refusedSkew = "node(s) didn't match pod topology spread constraints";
const skewRefusal = resolvable(refusedSkew);
const labelRefusal = unresolvable(`${refusedSkew} (missing required label)`);

/** Constraints that must hold. Source: release 1.20, `podtopologyspread/filtering.go`. */
export const spreadFilter: FilterPlugin = (pod, cluster) => {
  const constraints = (pod.pod.spec.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map(compileConstraint);
  return constraints.length === 0 ? undefined : SpreadFilter.over(pod, cluster, constraints);
};

class SpreadFilter implements PodFilter {
  readonly #pod: PodInfo;
  readonly #constraints: readonly SpreadConstraint[];
  /** For each constraint the number of pods by value of its label. */
  readonly #counts: readonly Map<string, number>[];

  private constructor(
    pod: PodInfo,
    constraints: readonly SpreadConstraint[],
    counts: readonly Map<string, number>[],
  ) {
    this.#pod = pod;
    this.#constraints = constraints;
    this.#counts = counts;
  }

  static over(pod: PodInfo, cluster: Cluster, constraints: readonly SpreadConstraint[]): SpreadFilter {
    const isAllowed = podNodeMatcher(pod.pod) ?? (() => true);
    const possible = cluster.nodes().filter((node) => isAllowed(node) && hasLabels(node, constraints));
    const counts = constraints.map((constraint) => countPlaces(pod, cluster, { ...constraint, possible }));
    return new SpreadFilter(pod, constraints, counts);
  }

  check({ labels }: NodeInfo): Refusal | undefined {
    for (const [at, { topologyKey, selector, maxSkew }] of this.#constraints.entries()) {
      const value = ownValue(labels, topologyKey);
      if (value === undefined) return labelRefusal;
      const counts = this.#counts[at];
      if (counts === undefined || counts.size === 0) continue;
      const itself = selector.matches(this.#pod.labels) ? 1 : 0;
      if ((counts.get(value) ?? 0) + itself - Math.min(...counts.values()) > maxSkew) return skewRefusal;
    }
    return undefined;
  }

  add(pod: PodInfo, node: NodeInfo): void {
    this.#count(pod, node, 1);
  }

  remove(pod: PodInfo, node: NodeInfo): void {
    this.#count(pod, node, -1);
  }

  clone(): SpreadFilter {
    return new SpreadFilter(
      this.#pod,
      this.#constraints,
      this.#counts.map((counts) => new Map(counts)),
    );
  }

  #count(pod: PodInfo, node: NodeInfo, by: number): void {
    if (!hasLabels(node, this.#constraints)) return;
    for (const [at, { topologyKey, selector }] of this.#constraints.entries()) {
      if (!isSelected(pod, this.#pod.namespace, selector)) continue;
      const value = ownValue(node.labels, topologyKey) ?? '';
      const counts = this.#counts[at];
      counts?.set(value, (counts.get(value) ?? 0) + by);
    }
  }
}

/** Places are those of nodes where the pod could be; what runs on any other node of such a place counts as well. */
function countPlaces(
  pod: PodInfo,
  cluster: Cluster,
  { topologyKey, selector, possible }: SpreadConstraint & { readonly possible: readonly NodeInfo[] },
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { labels } of possible) counts.set(ownValue(labels, topologyKey) ?? '', 0);
  const countOn = selectedCounter(pod, selector);
  for (const node of cluster.nodes()) {
    const value = ownValue(node.labels, topologyKey) ?? '';
    const before = counts.get(value);
    if (before !== undefined) counts.set(value, before + countOn(node));
  }
  return counts;
}

/** Whether a node has a place in all topologies. */
export const hasLabels = ({ labels }: NodeInfo, constraints: readonly SpreadConstraint[]): boolean =>
  constraints.every(({ topologyKey }) => ownValue(labels, topologyKey) !== undefined);
