import type { Cluster } from './cluster.ts';
import type { Refusal } from './filters/index.ts';
import type { NodeInfo } from './node-info.ts';
import { PodFilters } from './pod-filters.ts';
import type { PodInfo } from './pod-info.ts';
import { scoreNodes } from './scores/index.ts';

/** Where a pod comes, or why it comes nowhere. */
export type Placement =
  | { readonly kind: 'placed'; readonly node: NodeInfo }
  | {
      readonly kind: 'refused';
      /** As events and conditions have it. */
      readonly message: string;
      readonly refusals: ReadonlyMap<string, Refusal>;
      /** Undefined when no node will do, whatever other pods do. */
      readonly filters: PodFilters | undefined;
    };

/** What a placement is left to. */
export interface PlaceOptions {
  /** From 0 to 1: which of the best nodes. */
  readonly random: () => number;
  /** Where to begin; each pod goes on where the one before ended, so that all nodes are looked at alike. */
  readonly cursor: { next: number };
}

/** Fewer nodes are looked at all. Source: release 1.20, `generic_scheduler.go`. */
const alwaysEnough = 100;

/** The best of the nodes where the pod can be. Changes nothing but the cursor. */
export function placePod(pod: PodInfo, cluster: Cluster, options: PlaceOptions): Placement {
  const nodes = cluster.nodes();
  if (nodes.length === 0) return refuse('no nodes available to schedule pods', new Map(), undefined);
  const filters = PodFilters.prepare(pod, cluster);
  if ('refusal' in filters) {
    const refusals = new Map(nodes.map(({ name }) => [name, filters.refusal]));
    return refuse(describeRefusals(nodes.length, refusals), refusals, undefined);
  }
  const { feasible, refusals } = findFeasible(nodes, filters, options.cursor);
  const [only, ...others] = feasible;
  if (only === undefined) return refuse(describeRefusals(nodes.length, refusals), refusals, filters);
  const node = others.length === 0 ? only : (chooseBest(pod, feasible, cluster, options.random) ?? only);
  return { kind: 'placed', node };
}

function refuse(
  message: string,
  refusals: ReadonlyMap<string, Refusal>,
  filters: PodFilters | undefined,
): Placement {
  return { kind: 'refused', message, refusals, filters };
}

interface Feasible {
  readonly feasible: NodeInfo[];
  readonly refusals: Map<string, Refusal>;
}

function findFeasible(nodes: readonly NodeInfo[], filters: PodFilters, cursor: { next: number }): Feasible {
  const enough = enoughOf(nodes.length);
  const feasible: NodeInfo[] = [];
  const refusals = new Map<string, Refusal>();
  const start = cursor.next % nodes.length;
  let looked = 0;
  while (looked < nodes.length && feasible.length < enough) {
    const node = nodes[(start + looked++) % nodes.length];
    if (node === undefined) continue;
    const refusal = filters.check(node);
    if (refusal === undefined) feasible.push(node);
    else refusals.set(node.name, refusal);
  }
  cursor.next = (start + looked) % nodes.length;
  return { feasible, refusals };
}

/** Large clusters have enough good nodes among some of them. */
function enoughOf(count: number): number {
  if (count < alwaysEnough) return count;
  const percent = Math.max(5, 50 - Math.trunc(count / 125));
  return Math.max(alwaysEnough, Math.trunc((count * percent) / 100));
}

function chooseBest(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  cluster: Cluster,
  random: () => number,
): NodeInfo | undefined {
  const scores = scoreNodes(pod, nodes, cluster);
  const most = Math.max(...scores);
  const best = nodes.filter((_, at) => scores[at] === most);
  return best[Math.floor(random() * best.length)];
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods.` */
function describeRefusals(nodeCount: number, refusals: ReadonlyMap<string, Refusal>): string {
  const counts = new Map<string, number>();
  for (const { reasons } of refusals.values()) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodeCount} nodes are available: ${texts.join(', ')}.`;
}
