import type { PodAction } from '../sync/index.ts';
import { VolumeError } from '../volumes/index.ts';
import { growingWaitMs } from './growing-wait.ts';

/** Wait before anything is started again after something failed otherwise than the start of a container. */
const retryMs = 10_000;

/** What may be done for a pod after actions have failed: nothing for a moment, and nothing be started for a while. */
export class RetryGate {
  #failures = 0;
  #restUntilMs = 0;
  #holdUntilMs = 0;

  noteSuccess(): void {
    this.#failures = 0;
  }

  noteFailure(error: unknown, nowMs: number): void {
    this.#failures += 1;
    this.#restUntilMs = nowMs + growingWaitMs(this.#failures);
    this.#holdUntilMs = nowMs + (error instanceof VolumeError ? error.retryAfterMs : retryMs);
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
