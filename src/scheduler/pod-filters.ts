import type { Cluster } from './cluster.ts';
import { defaultFilters, type PodFilter, type Refusal } from './filters/index.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

/** All that is asked about nodes for one pod. */
export class PodFilters {
  readonly #pod: PodInfo;
  readonly #cluster: Cluster;
  readonly #filters: readonly PodFilter[];

  private constructor(pod: PodInfo, cluster: Cluster, filters: readonly PodFilter[]) {
    this.#pod = pod;
    this.#cluster = cluster;
    this.#filters = filters;
  }

  /** The filters that have a say; a refusal when no node will do. */
  static prepare(pod: PodInfo, cluster: Cluster): PodFilters | { readonly refusal: Refusal } {
    const filters: PodFilter[] = [];
    for (const plugin of defaultFilters) {
      const filter = plugin(pod, cluster);
      if (filter === undefined) continue;
      if ('refusal' in filter) return filter;
      filters.push(filter);
    }
    return new PodFilters(pod, cluster, filters);
  }

  /**
   * Undefined when the pod can be on the node, both with the pods that room was made for there and without them, since they may
   * never come.
   */
  check(node: NodeInfo): Refusal | undefined {
    const awaited = this.#awaitedOn(node.name);
    if (awaited.length === 0) return findRefusal(this.#filters, node);
    const trial = this.#trial(node);
    for (const pod of awaited) trial.add(pod);
    return findRefusal(trial.filters, trial.node) ?? findRefusal(this.#filters, node);
  }

  /** The node as it might be, with the pods that room was made for. */
  tryOn(node: NodeInfo): NodeTrial {
    return this.#trial(node);
  }

  #trial(node: NodeInfo): NodeTrial {
    return new NodeTrial(
      node.clone(),
      this.#filters.map((filter) => filter.clone?.() ?? filter),
      this.#awaitedOn(node.name),
    );
  }

  #awaitedOn(node: string): readonly PodInfo[] {
    const { key, priority } = this.#pod;
    return this.#cluster.nominatedOn(node).filter((other) => other.key !== key && other.priority >= priority);
  }
}

/** A node with other pods than it has, and the filters as they would be then. */
class NodeTrial {
  readonly node: NodeInfo;
  readonly filters: readonly PodFilter[];
  readonly #awaited: readonly PodInfo[];

  constructor(node: NodeInfo, filters: readonly PodFilter[], awaited: readonly PodInfo[]) {
    this.node = node;
    this.filters = filters;
    this.#awaited = awaited;
  }

  add(pod: PodInfo): void {
    this.node.addPod(pod);
    for (const filter of this.filters) filter.add?.(pod, this.node);
  }

  remove(pod: PodInfo): void {
    this.node.removePod(pod.key);
    for (const filter of this.filters) filter.remove?.(pod, this.node);
  }

  /** Whether the pod could be here, with those that room was made for and without them. */
  get fits(): boolean {
    if (findRefusal(this.filters, this.node) !== undefined) return false;
    if (this.#awaited.length === 0) return true;
    for (const pod of this.#awaited) this.add(pod);
    const fits = findRefusal(this.filters, this.node) === undefined;
    for (const pod of this.#awaited) this.remove(pod);
    return fits;
  }
}

function findRefusal(filters: readonly PodFilter[], node: NodeInfo): Refusal | undefined {
  for (const filter of filters) {
    const refusal = filter.check(node);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
