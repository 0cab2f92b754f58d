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
