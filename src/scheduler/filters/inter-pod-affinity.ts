import { ownValue } from '../../base/index.ts';
import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import { type AffinityTerm, matchesTerm, type PodInfo } from '../pod-info.ts';
import { type FilterPlugin, type PodFilter, type Refusal, resolvable, unresolvable } from './filter.ts';

const refused = "node(s) didn't match pod affinity/anti-affinity";
const nearRefusal = unresolvable(refused, "node(s) didn't match pod affinity rules");
const farRefusal = resolvable(refused, "node(s) didn't match pod anti-affinity rules");
const othersRefusal = resolvable(refused, "node(s) didn't satisfy existing pods anti-affinity rules");

/** How often something is so in a topology, by `LABEL=VALUE`. */
type Counts = Map<string, number>;

/**
 * What pods require of the places of others: the pod of those that run, and these of the pod. Source: release 1.20,
 * `interpodaffinity/filtering.go`.
 */
export const podAffinityFilter: FilterPlugin = (pod, cluster) => {
  const filter = PodAffinityFilter.over(pod, cluster);
  // Those that room was made for are added later.
  const mayComeToCount = cluster.nominated.some((other) => other.far.length > 0);
  return filter.isIdle && !mayComeToCount ? undefined : filter;
};

class PodAffinityFilter implements PodFilter {
  readonly #pod: PodInfo;
  readonly #near: Counts;
  readonly #far: Counts;
  readonly #others: Counts;

  private constructor(
    pod: PodInfo,
    { near, far, others }: Readonly<Record<'near' | 'far' | 'others', Counts>>,
  ) {
    this.#pod = pod;
    this.#near = near;
    this.#far = far;
    this.#others = others;
  }

  static over(pod: PodInfo, cluster: Cluster): PodAffinityFilter {
    const filter = new PodAffinityFilter(pod, { near: new Map(), far: new Map(), others: new Map() });
    const wants = pod.near.length + pod.far.length > 0;
    for (const node of cluster.nodes()) {
      for (const other of node.podsWithAffinity()) filter.#countOther(other, node, 1);
      if (wants) for (const other of node.pods()) filter.#countWanted(other, node, 1);
    }
    return filter;
  }

  /** Whether nobody requires anything. */
  get isIdle(): boolean {
    return this.#pod.near.length + this.#pod.far.length + this.#others.size === 0;
  }

  check(node: NodeInfo): Refusal | undefined {
    if (!this.#isNear(node)) return nearRefusal;
    if (this.#pod.far.some((term) => (this.#far.get(placeOf(term, node) ?? '') ?? 0) > 0)) return farRefusal;
    if (this.#others.size === 0) return undefined;
    for (const [label, value] of Object.entries(node.labels)) {
      if ((this.#others.get(`${label}=${value}`) ?? 0) > 0) return othersRefusal;
    }
    return undefined;
  }

  add(pod: PodInfo, node: NodeInfo): void {
    this.#countOther(pod, node, 1);
    this.#countWanted(pod, node, 1);
  }

  remove(pod: PodInfo, node: NodeInfo): void {
    this.#countOther(pod, node, -1);
    this.#countWanted(pod, node, -1);
  }

  clone(): PodAffinityFilter {
    return new PodAffinityFilter(this.#pod, {
      near: new Map(this.#near),
      far: new Map(this.#far),
      others: new Map(this.#others),
    });
  }

  #isNear(node: NodeInfo): boolean {
    const { near } = this.#pod;
    let areThere = true;
    for (const term of near) {
      const place = placeOf(term, node);
      if (place === undefined) return false;
      if ((this.#near.get(place) ?? 0) <= 0) areThere = false;
    }
    // The first of pods that want to be near one another has to begin somewhere.
    return areThere || (!hasAny(this.#near) && near.every((term) => matchesTerm(term, this.#pod)));
  }

  /** Pods keep others like this one away. */
  #countOther(other: PodInfo, node: NodeInfo, by: number): void {
    for (const term of other.far)
      if (matchesTerm(term, this.#pod)) count(this.#others, placeOf(term, node), by);
  }

  /** This pod wants to be near, or far from, the other. */
  #countWanted(other: PodInfo, node: NodeInfo, by: number): void {
    const { near, far } = this.#pod;
    if (near.length > 0 && near.every((term) => matchesTerm(term, other))) {
      for (const term of near) count(this.#near, placeOf(term, node), by);
    }
    for (const term of far) if (matchesTerm(term, other)) count(this.#far, placeOf(term, node), by);
  }
}

/** Where a node is in the topology of a term; undefined where it has no place there. */
export function placeOf(
  { topologyKey }: Pick<AffinityTerm, 'topologyKey'>,
  { labels }: NodeInfo,
): string | undefined {
  const value = ownValue(labels, topologyKey);
  return value === undefined ? undefined : `${topologyKey}=${value}`;
}

function count(counts: Counts, place: string | undefined, by: number): void {
  if (place === undefined) return;
  const next = (counts.get(place) ?? 0) + by;
  if (next === 0) counts.delete(place);
  else counts.set(place, next);
}

const hasAny = (counts: Counts): boolean => counts.size > 0;
