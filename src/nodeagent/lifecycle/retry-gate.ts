import type { PodAction } from '../sync/index.ts';
import { VolumeError } from '../volumes/index.ts';
import { growingWaitMs } from './growing-wait.ts';

/** Wait before anything is started again after something failed otherwise than the start of a container. */
const retryMs = 10_000;

/** What may be done for a pod after actions have failed: nothing for a moment, and nothing be started for a while. */
export class RetryGate {
  #failures = 0;
  /** What was done last, when it was no start. */
  #last: string | undefined;
  #restUntilMs = 0;
  #holdUntilMs = 0;

  /** Ending and removing the same again means that it had no effect: as long as that is so, waits grow. */
  noteSuccess(actions: readonly PodAction[], nowMs: number): void {
    const key = actions.some(({ kind }) => kind === 'start-container') ? undefined : JSON.stringify(actions);
    const hadNoEffect = key !== undefined && key === this.#last;
    this.#last = key;
    if (hadNoEffect) this.#rest(nowMs);
    else this.#failures = 0;
  }

  noteFailure(error: unknown, nowMs: number): void {
    this.#rest(nowMs);
    this.#holdUntilMs = nowMs + (error instanceof VolumeError ? error.retryAfterMs : retryMs);
  }

  #rest(nowMs: number): void {
    this.#failures += 1;
    this.#restUntilMs = nowMs + growingWaitMs(this.#failures);
  }

  /** Everything may be tried again at once. */
  open(): void {
    this.#restUntilMs = this.#holdUntilMs = 0;
  }

  /** What of a plan may be done now: the first of its actions, until something is to be started. */
  allowed(actions: readonly PodAction[], nowMs: number): readonly PodAction[] {
    if (nowMs < this.#restUntilMs) return [];
    if (nowMs >= this.#holdUntilMs) return actions;
    const first = actions.findIndex(({ kind }) => kind === 'create-sandbox' || kind === 'start-container');
    return first < 0 ? actions : actions.slice(0, first);
  }

  /** When more may be done. */
  get moments(): readonly number[] {
    return [this.#restUntilMs, this.#holdUntilMs];
  }
}
