import { forbidden, otherFailure, StatusError, tooManyRequests } from '../../machinery/errors/index.ts';
import type { Pod } from '../types/core-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../types/policy-v1beta1.ts';

/** Most evictions of one budget that may wait for the budget's controller to see them. */
const maxUnseenEvictions = 2000;
const refusedText = "Cannot evict pod as it would violate the pod's disruption budget.";

/** What an eviction is decided from. */
export interface EvictionRequest {
  readonly pod: Pod;
  /** Budgets of the pod's namespace whose selector matches the pod. */
  readonly budgets: readonly PodDisruptionBudget[];
  /** Time of the eviction, RFC 3339 with whole seconds. */
  readonly now: string;
}

/**
 * `allowed`: delete the pod; if there is a budget, first store its new status at the version that was read, and
 * decide again when that version is gone. `refused`: answer with the error.
 */
export type EvictionDecision =
  | { readonly kind: 'allowed'; readonly budget?: BudgetChange }
  | { readonly kind: 'refused'; readonly error: StatusError };

/** A budget and the status that it has once the pod is gone. */
export interface BudgetChange {
  readonly budget: PodDisruptionBudget;
  readonly status: PodDisruptionBudgetStatus;
}

/** Decides whether a pod may be evicted. Pods that run nothing may always go. */
export function decideEviction({ pod, budgets, now }: EvictionRequest): EvictionDecision {
  const [budget, another] = budgets;
  if (!isDisruptive(pod) || budget === undefined) return { kind: 'allowed' };
  if (another !== undefined) {
    const text =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    return { kind: 'refused', error: otherFailure(500, '', text) };
  }
  const error = refusalOf(budget);
  if (error !== undefined) return { kind: 'refused', error };
  const { status } = budget;
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? '']: now };
  const next = { ...status, disruptedPods, disruptionsAllowed: status.disruptionsAllowed - 1 };
  return { kind: 'allowed', budget: { budget, status: next } };
}

/** False for pods that ended, have not started, or are being deleted: their end disturbs nobody. */
function isDisruptive({ metadata, status }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp !== null) return false;
  return status.phase !== 'Succeeded' && status.phase !== 'Failed' && status.phase !== 'Pending';
}

function refusalOf({ metadata, status }: PodDisruptionBudget): StatusError | undefined {
  const name = metadata.name ?? '';
  const resource = { group: 'policy', resource: 'poddisruptionbudget' };
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return violation(`The disruption budget ${name} is still being processed by the server.`);
  }
  if (status.disruptionsAllowed < 0) {
    return forbidden(resource, name, 'pdb disruptions allowed is negative');
  }
  if (Object.keys(status.disruptedPods ?? {}).length > maxUnseenEvictions) {
    const text = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    return forbidden(resource, name, text);
  }
  if (status.disruptionsAllowed > 0) return undefined;
  const { desiredHealthy, currentHealthy } = status;
  const text = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return violation(text);
}

/** 429 with a cause that names the budget. There is no telling when to come back, so no time is given. */
function violation(message: string): StatusError {
  const { status } = tooManyRequests(refusedText, 0);
  return new StatusError({ ...status, details: { causes: [{ reason: 'DisruptionBudget', message }] } });
}
