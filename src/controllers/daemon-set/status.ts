import type { DaemonSetStatus } from '../../apis/types/apps-v1.ts';
import { isPodAvailable, isPodReady } from '../workloads/pod-state.ts';
import { compareDaemonPods, type DaemonFacts, podsByNode } from './decide.ts';
import { hashLabel } from './placement.ts';

const counted = [
  'desiredNumberScheduled',
  'currentNumberScheduled',
  'numberMisscheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const;

/**
 * The status that a daemon set is to have; undefined when it has it. Pure. `isObserved`: the pods are being managed by what the set
 * asks for now. Source: release 1.20, `updateDaemonSetStatus`.
 */
export function decideDaemonStatus(
  { set, pods, nodes, placement, hash, nowMs }: DaemonFacts,
  { isObserved, collisionCount }: { readonly isObserved: boolean; readonly collisionCount: number },
): DaemonSetStatus | undefined {
  const byNode = podsByNode(pods);
  let [desired, current, misscheduled, ready, updated, available] = [0, 0, 0, 0, 0, 0];
  for (const node of nodes) {
    const [pod] = (byNode.get(node.metadata.name ?? '') ?? []).sort(compareDaemonPods);
    if (!placement(node).shouldRun) {
      if (pod !== undefined) misscheduled++;
      continue;
    }
    desired++;
    if (pod === undefined) continue;
    current++;
    if (isPodReady(pod)) ready++;
    if (isPodAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs)) available++;
    if (pod.metadata.labels?.[hashLabel] === hash) updated++;
  }
  const { generation = 0 } = set.metadata;
  const status: DaemonSetStatus = {
    ...set.status,
    ...(isObserved && { observedGeneration: generation }),
    desiredNumberScheduled: desired,
    currentNumberScheduled: current,
    numberMisscheduled: misscheduled,
    numberReady: ready,
    updatedNumberScheduled: updated,
    numberAvailable: available,
    numberUnavailable: desired - available,
    ...(collisionCount > 0 && { collisionCount }),
  };
  const isSame =
    counted.every((name) => (set.status[name] ?? 0) === status[name]) &&
    (set.status.observedGeneration ?? 0) >= (isObserved ? generation : 0) &&
    (set.status.collisionCount ?? 0) === collisionCount;
  return isSame ? undefined : status;
}
