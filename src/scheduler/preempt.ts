import type { LabelSelector } from '../machinery/selectors/index.ts';
import type { Cluster } from './cluster.ts';
import type { Refusal } from './filters/index.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodFilters } from './pod-filters.ts';
import type { PodInfo } from './pod-info.ts';

/** A disruption budget as it stands. */
export interface Budget {
  readonly namespace: string;
  readonly selector: LabelSelector;
  /** How many pods may still go. */
  readonly allowed: number;
  /** Names of pods that are counted already. */
  readonly disrupted: ReadonlySet<string>;
}

/** What makes room for a pod. */
export interface Preemption {
  readonly node: string;
  /** Pods that must go; at least one. First those whose going violates a budget. */
  readonly victims: readonly PodInfo[];
}

/** What a pod was refused with. */
export interface PreemptSituation {
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly filters: PodFilters;
  readonly budgets: readonly Budget[];
}

/** Whether a pod may make others go. Source: release 1.20, `defaultpreemption`, `PodEligibleToPreemptOthers`. */
export function mayPreempt(
  { pod, priority }: PodInfo,
  cluster: Cluster,
  refusals: ReadonlyMap<string, Refusal>,
): boolean {
  if (pod.spec.preemptionPolicy === 'Never') return false;
  const { nominatedNodeName: nominated = '' } = pod.status ?? {};
  if (nominated === '' || refusals.get(nominated)?.isUnresolvable === true) return true;
  // Room is being made there.
  for (const other of cluster.node(nominated)?.pods() ?? []) {
    if (other.pod.metadata.deletionTimestamp !== undefined && other.priority < priority) return false;
  }
  return true;
}

interface Candidate extends Preemption {
  readonly violations: number;
}

/**
 * The node where the least is lost when pods of lower priority go so that this one fits; undefined when that helps nowhere.
 * Source: release 1.20, `defaultpreemption`, `selectVictimsOnNode`, `pickOneNodeForPreemption`.
 */
export function planPreemption(
  pod: PodInfo,
  cluster: Cluster,
  { refusals, filters, budgets }: PreemptSituation,
): Preemption | undefined {
  const candidates = nodesToFree(cluster, refusals).map((node) => findVictims(pod, node, filters, budgets));
  return leastLoss(candidates.filter((candidate) => candidate !== undefined));
}

/** Nodes where it may help that pods go. */
export const nodesToFree = (cluster: Cluster, refusals: ReadonlyMap<string, Refusal>): readonly NodeInfo[] =>
  cluster.nodes().filter(({ name }) => refusals.get(name)?.isUnresolvable === false);

function findVictims(
  pod: PodInfo,
  node: NodeInfo,
  filters: PodFilters,
  budgets: readonly Budget[],
): Candidate | undefined {
  const lower = [...node.pods()].filter(({ priority }) => priority < pod.priority);
  if (lower.length === 0) return undefined;
  const trial = filters.tryOn(node);
  for (const other of lower) trial.remove(other);
  if (!trial.fits) return undefined;
  lower.sort(byImportance);
  const { violating, others } = splitByBudgets(lower, budgets);
  const victims: PodInfo[] = [];
  let violations = 0;
  for (const other of [...violating, ...others]) {
    trial.add(other);
    if (trial.fits) continue;
    trial.remove(other);
    victims.push(other);
    if (violating.includes(other)) violations++;
  }
  return victims.length === 0 ? undefined : { node: node.name, victims, violations };
}

/** The more important first: of higher priority, then those that have run longer. */
function byImportance(a: PodInfo, b: PodInfo): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  return startOf(a) - startOf(b);
}

/** One that has not started yet has run the least. */
function startOf({ pod }: PodInfo): number {
  const { startTime } = pod.status ?? {};
  return !startTime ? Number.MAX_SAFE_INTEGER : Date.parse(startTime);
}

function splitByBudgets(pods: readonly PodInfo[], budgets: readonly Budget[]) {
  const left = budgets.map(({ allowed }) => allowed);
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) {
    let isViolating = false;
    // Budgets are of pods with labels, whatever they select.
    const hasLabels = Object.keys(pod.labels).length > 0;
    for (const [at, { namespace, selector, disrupted }] of budgets.entries()) {
      if (namespace !== pod.namespace || !hasLabels || selector.isEmpty) continue;
      if (!selector.matches(pod.labels)) continue;
      if (disrupted.has(pod.pod.metadata.name ?? '')) continue;
      const rest = (left[at] ?? 0) - 1;
      left[at] = rest;
      if (rest < 0) isViolating = true;
    }
    (isViolating ? violating : others).push(pod);
  }
  return { violating, others };
}

/** What counts first, least first. */
const losses: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  // Of the first of them, whether or not another has a higher one (release 1.20).
  ({ victims }) => victims[0]?.priority ?? 0,
  // Priorities may be negative: each pod counts.
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
  ({ victims }) => victims.length,
  // Those that have run the shortest.
  ({ victims }) => {
    const highest = Math.max(...victims.map(({ priority }) => priority));
    return -Math.min(...victims.filter(({ priority }) => priority === highest).map(startOf));
  },
];

function leastLoss(candidates: readonly Candidate[]): Candidate | undefined {
  let best = candidates;
  for (const loss of losses) {
    if (best.length <= 1) break;
    const least = Math.min(...best.map(loss));
    best = best.filter((candidate) => loss(candidate) === least);
  }
  return best[0];
}
