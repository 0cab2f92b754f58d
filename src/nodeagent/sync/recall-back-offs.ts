import { type BackOff, type BackOffs, backOffKey, firstDelayMs, maxDelayMs } from './back-off.ts';
import { groupInstances } from './instances.ts';
import type { DesiredPod, ObservedContainer, ObservedPod } from './pod-state.ts';

/**
 * Back-offs with those that an agent has forgotten, read from what the runtime still has: how often a container was
 * made, and how long it waited last. Never shorter than the forgotten one, so that a crash loop stays as slow as it was
 * when the agent is started anew.
 */
export function recallBackOffs(
  { initContainers, containers }: DesiredPod,
  observed: ObservedPod,
  backOffs: BackOffs,
): BackOffs {
  const instances = groupInstances(observed.containers);
  const recalled = new Map(backOffs);
  for (const container of [...initContainers, ...containers]) {
    const key = backOffKey(container);
    const backOff = recalled.has(key) ? undefined : recall(container.specHash, instances.get(container.name));
    if (backOff !== undefined) recalled.set(key, backOff);
  }
  return recalled;
}

/** @param instances newest first */
function recall(specHash: string, instances: readonly ObservedContainer[] = []): BackOff | undefined {
  const [newest, previous] = instances;
  // A first instance of a specification was started without a wait, and sets none.
  if (newest === undefined || newest.attempt === 0 || newest.specHash !== specHash) return undefined;
  const isNeighbour = previous?.attempt === newest.attempt - 1;
  // The first of a specification that follows an ended one sets the first wait, unless the agent ended that itself.
  if (isNeighbour && previous.specHash !== specHash) {
    return { delayMs: firstDelayMs, setAtMs: newest.createdAtMs };
  }
  const byCount = firstDelayMs * 2 ** Math.min(newest.attempt - 1, 10);
  const byGap = isNeighbour ? delayAfterGap(newest, previous) : maxDelayMs;
  return { delayMs: Math.min(maxDelayMs, byCount, byGap), setAtMs: newest.createdAtMs };
}

/**
 * The delay that follows the one that was waited for, which is at most as long as the gap between two instances. A
 * short gap says nothing: the agent starts a container at once that it has ended itself.
 */
function delayAfterGap(newest: ObservedContainer, previous: ObservedContainer): number {
  const gapMs = newest.createdAtMs - (previous.finishedAtMs ?? newest.createdAtMs);
  if (gapMs < firstDelayMs) return maxDelayMs;
  let delayMs = firstDelayMs;
  while (delayMs <= gapMs && delayMs < maxDelayMs) delayMs *= 2;
  return delayMs;
}
