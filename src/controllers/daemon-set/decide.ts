import type { DaemonSet } from '../../apis/types/apps-v1.ts';
import type { Node, Pod } from '../../apis/types/core-v1.ts';
import { scaleIntOrString } from '../../machinery/values/index.ts';
import { isPodAvailable } from '../workloads/pod-state.ts';
import { hashLabel, type Placement, targetNodeOf } from './placement.ts';

/** What a daemon set is and has. */
export interface DaemonFacts {
  readonly set: DaemonSet;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly placement: Placement;
  /** Of the template of now. */
  readonly hash: string;
  readonly nowMs: number;
}

/** A pod that ended, and where. */
export interface FailedPod {
  readonly pod: Pod;
  readonly node: string;
}

/** What is to be done now. */
export interface DaemonPlan {
  /** Nodes that get a pod. */
  readonly creations: readonly string[];
  readonly deletions: readonly Pod[];
  /** Those of the deletions that failed. */
  readonly failed: readonly FailedPod[];
  /** When a failed pod that must wait may be deleted, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;
}

/** How long the next failed pod of a node must stay, in milliseconds: the agent may refuse the one after it just as fast. */
export type FailurePause = (node: string) => number;

/** Pods that are created, and deleted, at most before the informers have shown them. Source: release 1.20, `BurstReplicas`. */
const burst = 250;

export const isTerminating = ({ metadata }: Pod): boolean => Boolean(metadata.deletionTimestamp);

/** Pods by the nodes that they are on, or made for. The rest is none of a daemon set's making. */
export function podsByNode(pods: readonly Pod[]): Map<string, Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = targetNodeOf(pod);
    if (node === undefined) continue;
    const others = byNode.get(node);
    if (others === undefined) byNode.set(node, [pod]);
    else others.push(pod);
  }
  return byNode;
}

/** The one that counts first: on its node before still waiting, the oldest, by name. */
export function compareDaemonPods(a: Pod, b: Pod): number {
  const rank = ({ metadata, spec }: Pod): string =>
    `${spec.nodeName ? 0 : 1} ${metadata.creationTimestamp ?? ''} ${metadata.name}`;
  return rank(a) < rank(b) ? -1 : 1;
}

/**
 * What brings the pods of a daemon set to where they should be. Pure. While something else is to be done no pod is taken from its node
 * for another template. Source: release 1.20, `podsShouldBeOnNode` and `rollingUpdate`.
 */
export function decideDaemonSet(facts: DaemonFacts, pauseOf: FailurePause): DaemonPlan {
  const plan = decidePlaces(facts, pauseOf);
  if (plan.creations.length + plan.deletions.length > 0) return plan;
  return { ...plan, deletions: decideRolling(facts) };
}

function decidePlaces({ pods, nodes, placement }: DaemonFacts, pauseOf: FailurePause): DaemonPlan {
  const byNode = podsByNode(pods);
  const creations: string[] = [];
  const deletions: Pod[] = [];
  const failed: FailedPod[] = [];
  let retryAfterMs: number | undefined;
  const known = new Set<string>();
  for (const node of nodes) {
    const { name = '' } = node.metadata;
    known.add(name);
    const { shouldRun, mayStay } = placement(node);
    const there = byNode.get(name);
    if (there === undefined) {
      if (shouldRun) creations.push(name);
      continue;
    }
    const lasting = there.filter((pod) => !isTerminating(pod));
    if (!mayStay) {
      deletions.push(...lasting);
      continue;
    }
    const ended = lasting.filter(({ status }) => status?.phase === 'Failed');
    const pauseMs = ended.length === 0 ? 0 : pauseOf(name);
    if (pauseMs > 0) retryAfterMs = Math.min(pauseMs, retryAfterMs ?? pauseMs);
    // The pause of the first keeps the others.
    else failed.push(...ended.slice(0, 1).map((pod) => ({ pod, node: name })));
    const running = lasting.filter(({ status }) => status?.phase !== 'Failed');
    deletions.push(...running.sort(compareDaemonPods).slice(1));
  }
  // Nobody will place these, and nobody else deletes them.
  for (const [name, there] of byNode) {
    if (known.has(name)) continue;
    deletions.push(...there.filter((pod) => !pod.spec.nodeName && !isTerminating(pod)));
  }
  const now = failed.slice(0, burst);
  return {
    creations: creations.slice(0, burst),
    deletions: [...now.map(({ pod }) => pod), ...deletions].slice(0, burst),
    failed: now,
    retryAfterMs,
  };
}

/** Pods of earlier templates that are to go now: those of no use, and as many others as may be unavailable. */
function decideRolling({ set, pods, nodes, placement, hash, nowMs }: DaemonFacts): Pod[] {
  const { type, rollingUpdate } = set.spec.updateStrategy;
  if (type !== 'RollingUpdate') return [];
  const isAvailable = (pod: Pod): boolean => isPodAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
  const byNode = podsByNode(pods);
  const wanted = nodes.filter((node) => placement(node).shouldRun);
  const unavailable = wanted.filter(({ metadata: { name = '' } }) =>
    (byNode.get(name) ?? []).every((pod) => !isAvailable(pod) || isTerminating(pod)),
  );
  const { maxUnavailable = 1 } = rollingUpdate ?? {};
  const allowed = scaleIntOrString(maxUnavailable, wanted.length, 'up') ?? 0;
  const old = [...byNode.values()]
    .flat()
    .filter((pod) => pod.metadata.labels?.[hashLabel] !== hash && !isTerminating(pod));
  const useless = old.filter((pod) => !isAvailable(pod));
  const useful = old.filter(isAvailable);
  return [...useless, ...useful.slice(0, Math.max(0, allowed - unavailable.length))].slice(0, burst);
}
