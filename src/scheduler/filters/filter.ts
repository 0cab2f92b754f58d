import type { Cluster } from '../cluster.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

/** Why a pod cannot be on a node. */
export interface Refusal {
  /** As messages have them. */
  readonly reasons: readonly string[];
  /** Nothing that other pods do would help. */
  readonly isUnresolvable: boolean;
}

/** What a filter knows of one pod. */
export interface PodFilter {
  /** Undefined when the pod can be on the node. `node` may be one that is not as it is, but as it might be. */
  check(node: NodeInfo): Refusal | undefined;
  /** As if that pod were on the node, or were not; left out where other pods do not matter, or only those of the node itself. */
  add?(pod: PodInfo, node: NodeInfo): void;
  remove?(pod: PodInfo, node: NodeInfo): void;
  /** One that can be told of such changes; present when `add` and `remove` are. */
  clone?(): PodFilter;
}

/**
 * Looks at a pod before its nodes: what to ask of each; undefined when it has no say about such a pod; a refusal when no node
 * will do.
 */
export type FilterPlugin = (
  pod: PodInfo,
  cluster: Cluster,
) => PodFilter | { readonly refusal: Refusal } | undefined;

/** A refusal that ends when other pods do. */
export const resolvable = (...reasons: string[]): Refusal => ({ reasons, isUnresolvable: false });

/** A refusal that no other pod's end would change. */
export const unresolvable = (...reasons: string[]): Refusal => ({ reasons, isUnresolvable: true });
