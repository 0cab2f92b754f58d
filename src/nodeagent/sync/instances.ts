import type { ObservedContainer, ObservedPod, ObservedSandbox } from './pod-state.ts';

/** Newest first: a later attempt, then a later creation. */
export function newestFirst<T extends { readonly attempt: number; readonly createdAtMs: number }>(
  all: readonly T[],
): readonly T[] {
  return all.toSorted((a, b) => b.attempt - a.attempt || b.createdAtMs - a.createdAtMs);
}

/** Instances by name, newest first. */
export function groupInstances(
  containers: readonly ObservedContainer[],
): ReadonlyMap<string, readonly ObservedContainer[]> {
  const groups = Map.groupBy(containers, ({ name }) => name);
  return new Map([...groups].map(([name, instances]) => [name, newestFirst(instances)]));
}

/** The newest sandbox. */
export function newestSandbox({ sandboxes }: ObservedPod): ObservedSandbox | undefined {
  return newestFirst(sandboxes)[0];
}

/** Whether something of an instance may still run. */
export function mayRun({ state }: ObservedContainer): boolean {
  return state === 'running' || state === 'unknown';
}

/** Whether an instance ended as it should. */
export function hasSucceeded({ state, exitCode }: ObservedContainer): boolean {
  return state === 'exited' && exitCode === 0;
}

/** Whether an instance has failed, or has ended with an unknown result. */
export function hasFailed({ state, exitCode }: ObservedContainer): boolean {
  return state === 'unknown' || (state === 'exited' && exitCode !== 0);
}
