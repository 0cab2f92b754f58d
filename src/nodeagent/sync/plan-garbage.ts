import type { PodAction } from './actions.ts';
import { groupInstances, mayRun, newestFirst } from './instances.ts';
import type { ObservedContainer, ObservedPod } from './pod-state.ts';

/**
 * Which dead containers are kept (`--maximum-dead-containers-per-container`,
 * `--minimum-container-ttl-duration`).
 */
export interface PlanGarbageOptions {
  /** Ended instances to keep of each container; negative keeps all. */
  readonly keepPerContainer: number;
  /** Instances younger than this are kept. */
  readonly minAgeMs: number;
  readonly nowMs: number;
}

/**
 * Removes what a desired pod has left behind: old instances, and sandboxes that nothing lies in any more. Never the
 * newest instance of a container nor the newest sandbox, because the next plan is made from them.
 */
export function planGarbage(observed: ObservedPod, options: PlanGarbageOptions): readonly PodAction[] {
  const garbage = new Set(
    [...groupInstances(observed.containers).values()].flatMap((group) => findOld(group, options)),
  );
  const kept = observed.containers.filter((container) => !garbage.has(container));
  const inUse = new Set(kept.map(({ podSandboxId }) => podSandboxId));
  const sandboxes = newestFirst(observed.sandboxes)
    .slice(1)
    .filter(({ id, state }) => state === 'not-ready' && !inUse.has(id));
  return [
    ...[...garbage].map(({ id }): PodAction => ({ kind: 'remove-container', containerId: id })),
    ...sandboxes.map(({ id }): PodAction => ({ kind: 'remove-sandbox', podSandboxId: id })),
  ];
}

function findOld(
  instances: readonly ObservedContainer[],
  { keepPerContainer, minAgeMs, nowMs }: PlanGarbageOptions,
): readonly ObservedContainer[] {
  if (keepPerContainer < 0) return [];
  const [newest] = instances;
  const ended = instances.filter((each) => !mayRun(each));
  const keepCount =
    newest !== undefined && newest === ended[0] ? Math.max(1, keepPerContainer) : keepPerContainer;
  return ended.slice(keepCount).filter(({ createdAtMs }) => nowMs - createdAtMs >= minAgeMs);
}
