import type { Pod } from '../../apis/types/core-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../apis/types/policy-v1beta1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { scaleIntOrString } from '../../machinery/values/index.ts';
import { controllerOf } from '../workloads/claims.ts';
import { isPodReady } from '../workloads/pod-state.ts';

/** A pod that was evicted counts as gone for so long; if it is still there then, it was not. Source: release 1.20, `DeletionTimeout`. */
const deletionTimeoutMs = 2 * 60_000;

/** What has a number of pods to run: the owner of a pod, or that owner's owner. */
export interface ScaledController {
  readonly uid: string;
  readonly replicas: number;
}

/** What the status of a budget is decided from. */
export interface BudgetState {
  readonly budget: PodDisruptionBudget;
  /** Those that it selects. */
  readonly pods: readonly Pod[];
  /** By the uid of the owner reference of pods; an owner that has no scale is missing. */
  readonly controllers: ReadonlyMap<string, ScaledController>;
  readonly nowMs: number;
}

/** An event of a budget, or of one of its pods. */
export interface BudgetEvent {
  readonly pod?: Pod | undefined;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What makes the status of a budget right. */
export interface BudgetPlan {
  /** To be written; undefined when it is so already. */
  readonly status: PodDisruptionBudgetStatus | undefined;
  readonly events: readonly BudgetEvent[];
  /** When an evicted pod that is still there counts again, in milliseconds. */
  readonly recheckAtMs: number | undefined;
}

/**
 * How many pods of a budget may be disrupted now. Pure. While the number of pods that there should be is unknown, none may be.
 * Source: release 1.20, `trySync` of the disruption controller.
 */
export function decideBudget(state: BudgetState): BudgetPlan {
  const { budget, pods } = state;
  const events: BudgetEvent[] = [];
  if (pods.length === 0) {
    events.push({ type: 'Normal', reason: 'NoPods', message: 'No matching pods found' });
  }
  const counts = countExpected(state);
  if (counts.kind === 'unknown') {
    return {
      status: statusWithoutDisruptions(budget),
      events: [...events, counts.event, failedCount(counts.event.message)],
      recheckAtMs: undefined,
    };
  }
  const { disruptedPods, lateEvents, recheckAtMs } = disruptedPodsOf(state);
  const currentHealthy = pods.filter(
    (pod) =>
      !pod.metadata.deletionTimestamp && !disruptedPods.has(pod.metadata.name ?? '') && isPodReady(pod),
  ).length;
  const { expectedPods, desiredHealthy } = counts;
  const status: PodDisruptionBudgetStatus = {
    ...(budget.metadata.generation !== undefined && { observedGeneration: budget.metadata.generation }),
    ...(disruptedPods.size > 0 && { disruptedPods: Object.fromEntries(disruptedPods) }),
    // Without any pod that is expected none may go: the first ones may be there before this is decided again.
    disruptionsAllowed: expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0,
    currentHealthy,
    desiredHealthy,
    expectedPods,
  };
  return {
    status: isSame(budget.status, status) ? undefined : status,
    events: [...events, ...lateEvents],
    recheckAtMs,
  };
}

/** The status of a budget of which nothing can be said but that no pod may go; undefined when it is so already. Pure. */
export function statusWithoutDisruptions({
  status,
}: PodDisruptionBudget): PodDisruptionBudgetStatus | undefined {
  return status.disruptionsAllowed === 0 ? undefined : { ...status, disruptionsAllowed: 0 };
}

/** That a budget cannot be decided. */
export const failedCount = (error: string): BudgetEvent => ({
  type: 'Warning',
  reason: 'CalculateExpectedPodCountFailed',
  message: `Failed to calculate the number of expected pods: ${error}`,
});

/** Whether a budget depends on how many pods their controllers ask for, not on how many there are. */
export const needsControllers = ({ spec }: PodDisruptionBudget): boolean =>
  spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string';

type ExpectedCounts =
  | { readonly kind: 'known'; readonly expectedPods: number; readonly desiredHealthy: number }
  | { readonly kind: 'unknown'; readonly event: BudgetEvent };

function countExpected(state: BudgetState): ExpectedCounts {
  const { minAvailable, maxUnavailable } = state.budget.spec;
  if (!needsControllers(state.budget)) {
    const desiredHealthy = Number(minAvailable ?? 0);
    return {
      kind: 'known',
      expectedPods: minAvailable === undefined ? 0 : state.pods.length,
      desiredHealthy,
    };
  }
  const scale = sumScales(state);
  if (typeof scale !== 'number') return { kind: 'unknown', event: scale };
  // The server stores numbers and percentages only.
  const share = scaleIntOrString(maxUnavailable ?? minAvailable ?? 0, scale, 'up') ?? 0;
  const desiredHealthy = maxUnavailable === undefined ? share : Math.max(0, scale - share);
  return { kind: 'known', expectedPods: scale, desiredHealthy };
}

/** The pods that the controllers of these pods ask for together; the event that tells why that is unknown. */
function sumScales({ pods, controllers }: BudgetState): number | BudgetEvent {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const reference = controllerOf(pod);
    if (reference === undefined) {
      const message = `found no controller ref for pod "${pod.metadata.name}"`;
      return { type: 'Warning', reason: 'NoControllerRef', message };
    }
    const controller = controllers.get(reference.uid);
    if (controller === undefined) {
      const message = `found no controllers for pod "${pod.metadata.name}"`;
      return { type: 'Warning', reason: 'NoControllers', message };
    }
    scales.set(controller.uid, controller.replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

interface DisruptedPods {
  readonly disruptedPods: ReadonlyMap<string, string>;
  readonly lateEvents: readonly BudgetEvent[];
  readonly recheckAtMs: number | undefined;
}

/** Which evicted pods are still there, and not yet for too long. */
function disruptedPodsOf({ budget, pods, nowMs }: BudgetState): DisruptedPods {
  const disruptedPods = new Map<string, string>();
  const lateEvents: BudgetEvent[] = [];
  let recheckAtMs: number | undefined;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    const since = budget.status.disruptedPods?.[name];
    if (deletionTimestamp || since == null) continue;
    const untilMs = Date.parse(since) + deletionTimeoutMs;
    if (untilMs < nowMs) {
      const { namespace } = budget.metadata;
      // The namespace stands where one expects the name, as clients know it.
      const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
      lateEvents.push({ pod, type: 'Warning', reason: 'NotDeleted', message });
    } else {
      disruptedPods.set(name, since);
      recheckAtMs = Math.min(untilMs, recheckAtMs ?? untilMs);
    }
  }
  return { disruptedPods, lateEvents, recheckAtMs };
}

function isSame(stored: PodDisruptionBudgetStatus, decided: PodDisruptionBudgetStatus): boolean {
  const shown = ({ disruptedPods = {}, ...counts }: PodDisruptionBudgetStatus) => [counts, disruptedPods];
  return deepEqual(shown(stored), shown(decided));
}
