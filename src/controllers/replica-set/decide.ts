import type { ReplicaSet, ReplicaSetCondition, ReplicaSetStatus } from '../../apis/types/apps-v1.ts';
import type { Pod, ReplicationController } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { labelSelectorFromSet } from '../../machinery/selectors/index.ts';
import { formatTime } from '../../machinery/values/index.ts';
import { isPodAvailable, isPodReady } from '../workloads/pod-state.ts';
import { comparePodsForDeletion, countByNode } from './deletion-order.ts';

/** What keeps a number of equal pods. Replication controllers are the older kind of the same. */
export type ReplicaOwner = ReplicaSet | ReplicationController;

/** How many pods to create, and which to delete: one of them is none. */
export interface ReplicaDecision {
  readonly creations: number;
  readonly deletions: readonly Pod[];
}

/** Pods that are created or deleted at most before the informers have shown them. Source: release 1.20, `BurstReplicas`. */
const burst = 500;

/**
 * What brings the number of pods to what is asked for. Pure. `pods` are the owner's active ones; `related` are those of all owners
 * of the same deployment: nodes that have many of them are the first to lose one.
 */
export function decideReplicas(
  { spec }: ReplicaOwner,
  pods: readonly Pod[],
  related: readonly Pod[] = [],
): ReplicaDecision {
  const wanted = spec.replicas ?? 1;
  if (pods.length <= wanted) return { creations: Math.min(wanted - pods.length, burst), deletions: [] };
  const compare = comparePodsForDeletion(countByNode(related));
  return { creations: 0, deletions: [...pods].sort(compare).slice(0, Math.min(pods.length - wanted, burst)) };
}

/** What went wrong with the pods of an owner. */
export interface ReplicaProblem {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/**
 * The status that an owner is to have; undefined when it has it. Pure. `pods` are its active ones as they were when the number was
 * decided. Source: release 1.20, `calculateStatus`.
 */
export function decideReplicaStatus(
  owner: ReplicaOwner,
  pods: readonly Pod[],
  { problem, nowMs }: { readonly problem: ReplicaProblem | undefined; readonly nowMs: number },
): ReplicaSetStatus | undefined {
  const { spec, status, metadata } = owner;
  const template = labelSelectorFromSet(spec.template?.metadata?.labels ?? {});
  const ready = pods.filter(isPodReady);
  const counts = {
    replicas: pods.length,
    fullyLabeledReplicas: pods.filter((pod) => template.matches(pod.metadata.labels)).length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, spec.minReadySeconds ?? 0, nowMs)).length,
  };
  const conditions = conditionsAfter(status.conditions ?? [], problem, nowMs);
  const isSame =
    counts.replicas === status.replicas &&
    counts.fullyLabeledReplicas === (status.fullyLabeledReplicas ?? 0) &&
    counts.readyReplicas === (status.readyReplicas ?? 0) &&
    counts.availableReplicas === (status.availableReplicas ?? 0) &&
    metadata.generation === status.observedGeneration &&
    deepEqual(conditions, status.conditions ?? []);
  if (isSame) return undefined;
  return { ...counts, observedGeneration: metadata.generation, ...(conditions.length > 0 && { conditions }) };
}

/** A problem that is known already stays as it was told first. */
function conditionsAfter(
  conditions: readonly ReplicaSetCondition[],
  problem: ReplicaProblem | undefined,
  nowMs: number,
): ReplicaSetCondition[] {
  const type = 'ReplicaFailure';
  const known = conditions.some((condition) => condition.type === type);
  if (problem !== undefined && known) return [...conditions];
  const others = conditions.filter((condition) => condition.type !== type);
  if (problem === undefined) return others;
  return [...others, { type, status: 'True', ...problem, lastTransitionTime: formatTime(nowMs) }];
}
