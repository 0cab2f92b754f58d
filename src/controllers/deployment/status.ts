import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
} from '../../apis/types/apps-v1.ts';
import { formatTime } from '../../machinery/values/index.ts';
import { actualOf, availableOf, readyOf, replicasOf, rollingBounds, totalOf } from './rolling.ts';

/** What stands for no limit where a field cannot be left out. */
const noLimit = 2 ** 31 - 1;

/** Seconds in which a rollout must get on; undefined for no limit. */
export const progressDeadlineOf = ({ spec }: Deployment): number | undefined =>
  spec.progressDeadlineSeconds === noLimit ? undefined : spec.progressDeadlineSeconds;

/** Old replica sets that are kept; undefined for no limit. */
export const historyLimitOf = ({ spec }: Deployment): number | undefined =>
  spec.revisionHistoryLimit === noLimit ? undefined : spec.revisionHistoryLimit;

export const conditionOf = (
  { conditions }: Pick<DeploymentStatus, 'conditions'>,
  type: string,
): DeploymentCondition | undefined => conditions?.find((condition) => condition.type === type);

type Conditions = readonly DeploymentCondition[];
type NewCondition = Pick<DeploymentCondition, 'type' | 'status' | 'reason' | 'message'>;

/** Sets a condition, unless it has this status and reason already. Its time of transition is that of its status. */
export function withCondition(conditions: Conditions, condition: NewCondition, nowMs: number): Conditions {
  const known = conditionOf({ conditions: [...conditions] }, condition.type);
  if (known?.status === condition.status && known.reason === condition.reason) return conditions;
  return replaceCondition(conditions, condition, nowMs);
}

function replaceCondition(conditions: Conditions, condition: NewCondition, nowMs: number): Conditions {
  const now = formatTime(nowMs);
  const known = conditionOf({ conditions: [...conditions] }, condition.type);
  const lastTransitionTime = known?.status === condition.status ? known.lastTransitionTime : now;
  return [
    ...withoutCondition(conditions, condition.type),
    { ...condition, lastUpdateTime: now, lastTransitionTime },
  ];
}

const withoutCondition = (conditions: Conditions, type: string): Conditions =>
  conditions.filter((condition) => condition.type !== type);

/** The replica sets of a deployment: the one of its template, if there is one, and all of them. */
export interface DeploymentSets {
  readonly current: ReplicaSet | undefined;
  readonly all: readonly ReplicaSet[];
}

/** The counts, and whether enough pods are available. `conditions` are those that the status is to begin with. */
export function countReplicas(
  deployment: Deployment,
  { current, all }: DeploymentSets,
  { conditions, nowMs }: { readonly conditions: Conditions; readonly nowMs: number },
): DeploymentStatus {
  const available = availableOf(all);
  const isAvailable = available >= replicasOf(deployment) - rollingBounds(deployment).maxUnavailable;
  const condition = isAvailable
    ? { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : {
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  return {
    observedGeneration: deployment.metadata.generation,
    replicas: actualOf(all),
    updatedReplicas: current === undefined ? 0 : actualOf([current]),
    readyReplicas: readyOf(all),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, totalOf(all) - available),
    conditions: [...withCondition(conditions, { type: 'Available', ...condition }, nowMs)],
    ...(deployment.status.collisionCount !== undefined && {
      collisionCount: deployment.status.collisionCount,
    }),
  };
}

/** Whether all pods are of the current template, and available. */
export const isComplete = (deployment: Deployment, status: DeploymentStatus): boolean =>
  [status.updatedReplicas, status.replicas, status.availableReplicas].every(
    (count) => (count ?? 0) === replicasOf(deployment),
  ) && (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);

/**
 * The status of a deployment that rolls out: the counts, how it gets on, and what keeps its pods from being created. Source:
 * release 1.20, `syncRolloutStatus`.
 */
export function rolloutStatus(
  deployment: Deployment,
  sets: DeploymentSets,
  options: { readonly conditions: Conditions; readonly nowMs: number },
): DeploymentStatus {
  const status = countReplicas(deployment, sets, options);
  const hasDeadline = progressDeadlineOf(deployment) !== undefined;
  const conditions = hasDeadline
    ? progressOf(deployment, status, { ...options, current: sets.current })
    : withoutCondition(status.conditions ?? [], 'Progressing');
  return { ...status, conditions: [...withFailure(conditions, sets, options.nowMs)] };
}

interface ProgressOptions {
  readonly conditions: Conditions;
  readonly current: ReplicaSet | undefined;
  readonly nowMs: number;
}

function progressOf(
  deployment: Deployment,
  status: DeploymentStatus,
  { conditions: before, current, nowMs }: ProgressOptions,
): Conditions {
  const { conditions = [] } = status;
  const known = conditionOf({ conditions: [...before] }, 'Progressing');
  // What is complete stays so until the template changes.
  if (status.replicas === status.updatedReplicas && known?.reason === 'NewReplicaSetAvailable')
    return conditions;
  const subject = current === undefined ? 'Deployment' : 'ReplicaSet';
  const name = (current ?? deployment).metadata.name ?? '';
  const condition = (isTrue: boolean, reason: string, what: string): NewCondition => ({
    type: 'Progressing',
    status: isTrue ? 'True' : 'False',
    reason,
    message: `${subject} "${name}" ${what}`,
  });
  if (isComplete(deployment, status)) {
    return withCondition(
      conditions,
      condition(true, 'NewReplicaSetAvailable', 'has successfully progressed.'),
      nowMs,
    );
  }
  // The time of the last step is what the deadline counts from.
  if (hasProgressed(deployment.status, status)) {
    return replaceCondition(conditions, condition(true, 'ReplicaSetUpdated', 'is progressing.'), nowMs);
  }
  if (!isTimedOut(deployment, conditions, nowMs)) return conditions;
  return withCondition(
    conditions,
    condition(false, 'ProgressDeadlineExceeded', 'has timed out progressing.'),
    nowMs,
  );
}

function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const oldOf = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number =>
    replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldOf(after) < oldOf(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function isTimedOut(deployment: Deployment, conditions: Conditions, nowMs: number): boolean {
  const known = conditionOf({ conditions: [...conditions] }, 'Progressing');
  if (known === undefined || known.reason === 'NewReplicaSetAvailable') return false;
  if (known.reason === 'ProgressDeadlineExceeded') return true;
  const deadlineMs = (progressDeadlineOf(deployment) ?? 0) * 1000;
  return Date.parse(known.lastUpdateTime ?? '') + deadlineMs < nowMs;
}

/** The problem of the current replica set, else of any. */
function withFailure(conditions: Conditions, { current, all }: DeploymentSets, nowMs: number): Conditions {
  const failureOf = (set: ReplicaSet) =>
    set.status.conditions?.filter(({ type }) => type === 'ReplicaFailure') ?? [];
  const own = current === undefined ? [] : failureOf(current);
  const [failure] = own.length > 0 ? own : all.flatMap(failureOf);
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  const { type, status, reason, message, lastTransitionTime } = failure;
  // It is as old as it is for the replica set.
  const sinceMs = Date.parse(lastTransitionTime ?? '') || nowMs;
  return withCondition(conditions, { type, status, reason, message }, sinceMs);
}

/**
 * When a rollout that does not get on must be looked at again, from now in milliseconds; undefined when it need not be. Source:
 * release 1.20, `requeueStuckDeployment`.
 */
export function nextCheckMs(
  deployment: Deployment,
  status: DeploymentStatus,
  nowMs: number,
): number | undefined {
  const deadline = progressDeadlineOf(deployment);
  const known = conditionOf(status, 'Progressing');
  if (deadline === undefined || known === undefined || known.reason === 'ProgressDeadlineExceeded')
    return undefined;
  if (isComplete(deployment, status)) return undefined;
  const dueMs = Date.parse(known.lastUpdateTime ?? '') + deadline * 1000;
  return Math.max(dueMs - nowMs, 0) + 1000;
}
