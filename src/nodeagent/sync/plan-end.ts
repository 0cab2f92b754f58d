import type { PodAction } from './actions.ts';
import { mayRun } from './instances.ts';
import type { ObservedPod } from './pod-state.ts';

/** How long the containers of an ending pod have, in ms. */
export interface PlanStopOptions {
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
}

/** Ends all that runs of a pod and its sandboxes, and removes nothing; no action when nothing is left to end. */
export function planStop(observed: ObservedPod, { graceMs }: PlanStopOptions): readonly PodAction[] {
  const stops = observed.containers.filter(mayRun).map(({ id, name }) => {
    return { containerId: id, name, graceMs, message: `Stopping container ${name}` };
  });
  const podSandboxIds = observed.sandboxes.filter(({ state }) => state === 'ready').map(({ id }) => id);
  if (stops.length + podSandboxIds.length === 0) return [];
  return [{ kind: 'stop-pod', stops, podSandboxIds }];
}

/** Ends a pod that no source desires any more, and removes all of it. */
export function planRemoval(observed: ObservedPod, options: PlanStopOptions): readonly PodAction[] {
  return [
    ...planStop(observed, options),
    ...observed.containers.map(({ id }): PodAction => ({ kind: 'remove-container', containerId: id })),
    ...observed.sandboxes.map(({ id }): PodAction => ({ kind: 'remove-sandbox', podSandboxId: id })),
  ];
}
