import type { Clock } from '../../base/index.ts';

const firstDelayMs = 10_000;
const maxDelayMs = 300_000;
/** A wait that was set longer ago is reset to the first one. */
const resetAfterMs = 2 * maxDelayMs;

/** Waits after failed pulls, by pod and image. */
export interface PullBackOffs {
  isWaiting(key: string): boolean;
  /** Sets the first wait, or doubles the one that there was. */
  extend(key: string): void;
  /** Forgets waits that no longer count. */
  sweep(): void;
}

/** No waits yet. A pod's waits are kept after successes, as release 1.20 does, so that a flapping image waits longer. */
export function createPullBackOffs(clock: Clock): PullBackOffs {
  const waits = new Map<string, { readonly delayMs: number; readonly setAtMs: number }>();
  const sweep = (): void => {
    for (const [key, { setAtMs }] of waits) {
      if (clock.nowMs() - setAtMs > resetAfterMs) waits.delete(key);
    }
  };
  return {
    sweep,
    isWaiting(key) {
      const wait = waits.get(key);
      return wait !== undefined && clock.nowMs() - wait.setAtMs < wait.delayMs;
    },
    extend(key) {
      sweep();
      const before = waits.get(key);
      const delayMs = before === undefined ? firstDelayMs : Math.min(maxDelayMs, 2 * before.delayMs);
      waits.set(key, { delayMs, setAtMs: clock.nowMs() });
    },
  };
}
