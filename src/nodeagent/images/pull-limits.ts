import { type Clock, TokenBucket } from '../../base/index.ts';

/** Rate and concurrency of pulls (`--registry-qps`, `--registry-burst`, `--serialize-image-pulls`). */
export interface PullLimitsOptions {
  /** One pull at a time, in the order of asking. */
  readonly isSerial: boolean;
  /** Pulls per second; not bounded when not positive. */
  readonly qps: number;
  /** Pulls that may come at once. */
  readonly burst: number;
  readonly clock: Clock;
}

/** Says when pulls may begin. */
export interface PullLimits {
  /** Runs a pull when it is its turn, with what it resolves or rejects with. */
  inTurn<T>(pull: () => Promise<T>): Promise<T>;
  /** Takes one of the pulls that the rate allows; false when there is none now. */
  tryTake(): boolean;
}

/** Limits with the whole burst at hand. */
export function createPullLimits({ isSerial, qps, burst, clock }: PullLimitsOptions): PullLimits {
  let last: Promise<unknown> = Promise.resolve();
  const bucket = qps > 0 ? new TokenBucket({ perSecond: qps, burst }, clock.nowMs()) : undefined;
  return {
    inTurn(pull) {
      if (!isSerial) return pull();
      const result = last.then(pull);
      last = result.catch(() => undefined); // Its failure is reported to the caller.
      return result;
    },
    tryTake: () => bucket?.tryTake(clock.nowMs()) !== false,
  };
}

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
