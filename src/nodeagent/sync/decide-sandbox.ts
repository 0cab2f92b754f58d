import { newestFirst } from './instances.ts';
import type { DesiredPod, ObservedPod, ObservedSandbox } from './pod-state.ts';

/** The sandbox to go on with, or the attempt of the one that must take its place. */
export type SandboxDecision =
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
