import { hasFailed, hasSucceeded, newestFirst } from './instances.ts';
import type {
  DesiredContainer,
  DesiredPod,
  ObservedContainer,
  ObservedPod,
  ObservedSandbox,
} from './pod-state.ts';

/** How far the init containers of a sandbox have come. */
export type InitProgress =
  | { readonly kind: 'done' }
  /** One of them runs. */
  | { readonly kind: 'running' }
  /** The next one is to run: for the first time, or again after `failed`. */
  | {
      readonly kind: 'next';
      readonly container: DesiredContainer;
      readonly failed: ObservedContainer | undefined;
    };

/**
 * Looks for the last init container that was begun in a sandbox. Those before it have succeeded, or it would not have
 * been begun, and their instances may have been removed since.
 *
 * @param instances those of the sandbox by name, newest first
 */
export function findInitProgress(
  initContainers: readonly DesiredContainer[],
  instances: ReadonlyMap<string, readonly ObservedContainer[]>,
): InitProgress {
  const index = initContainers.findLastIndex(({ name }) => instances.has(name));
  const [container] = initContainers.slice(Math.max(0, index));
  if (container === undefined) return { kind: 'done' };
  const newest = instances.get(container.name)?.[0];
  if (newest === undefined) return { kind: 'next', container, failed: undefined };
  if (newest.state === 'running') return { kind: 'running' };
  if (!hasSucceeded(newest)) {
    // One that was created and never started is made again.
    return { kind: 'next', container, failed: hasFailed(newest) ? newest : undefined };
  }
  const next = initContainers[index + 1];
  return next === undefined ? { kind: 'done' } : { kind: 'next', container: next, failed: undefined };
}

/** The sandbox to go on with, or the attempt of the one that must take its place. */
type SandboxDecision =
  | { readonly kind: 'keep'; readonly sandbox: ObservedSandbox }
  | { readonly kind: 'create'; readonly attempt: number };

/**
 * Whether the newest sandbox will do: it is the only ready one, on the network that the pod desires, with an address
 * where it has a network of its own.
 */
export function decideSandbox({ usesHostNetwork }: DesiredPod, { sandboxes }: ObservedPod): SandboxDecision {
  const [newest] = newestFirst(sandboxes);
  if (newest === undefined) return { kind: 'create', attempt: 0 };
  const isOnlyReady = sandboxes.every(({ id, state }) => (state === 'ready') === (id === newest.id));
  const isOnNetwork = usesHostNetwork || newest.hasAddress;
  const isGood = isOnlyReady && isOnNetwork && newest.usesHostNetwork === usesHostNetwork;
  return isGood ? { kind: 'keep', sandbox: newest } : { kind: 'create', attempt: newest.attempt + 1 };
}
