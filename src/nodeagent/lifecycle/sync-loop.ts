import type { Clock } from '../../base/index.ts';
import { growingWaitMs } from './growing-wait.ts';

/** Timers bear no more than 24 days; a pod may have a deadline in many years. */
const maxWaitMs = 3_600_000;

/** The sync of one pod, and who is notified when it fails. */
export interface SyncLoopOptions {
  /** Syncs once; gives the moments (ms since 1970) at which to sync again though nothing changes, past ones included. */
  readonly sync: () => Promise<readonly number[]>;
  /** Notified of a sync that failed; another one comes a little later. */
  readonly onFailure: (error: unknown) => void;
  readonly clock: Clock;
}

/**
 * When a pod is synced: at once when something may have changed, and at the moments that the last sync named. One sync at
 * a time; what changes meanwhile leads to exactly one more. Never rejects.
 */
export class SyncLoop {
  readonly #options: SyncLoopOptions;
  #isClosed = false;
  #isSyncing = false;
  #syncsAgain = false;
  /** Syncs in a row that failed. */
  #failures = 0;
  #cancelTimer = (): void => {};

  constructor(options: SyncLoopOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Something may have changed. */
  notify(): void {
    if (this.#isClosed) return;
    if (this.#isSyncing) this.#syncsAgain = true;
    else void this.#run();
  }

  /** Nothing is synced any more; a sync that is under way goes on to its end. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }

  async #run(): Promise<void> {
    this.#isSyncing = true;
    this.#cancelTimer();
    try {
      do {
        this.#syncsAgain = false;
        this.#scheduleFirstOf(await this.#options.sync());
        this.#failures = 0;
      } while (this.#syncsAgain && !this.#isClosed);
    } catch (error) {
      this.#options.onFailure(error);
      this.#failures += 1;
      this.#schedule(growingWaitMs(this.#failures));
    } finally {
      this.#isSyncing = false;
    }
  }

  #scheduleFirstOf(moments: readonly number[]): void {
    const nowMs = this.#options.clock.nowMs();
    const ahead = moments.filter((each) => each > nowMs);
    if (ahead.length > 0) this.#schedule(Math.min(...ahead) - nowMs);
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer();
    if (this.#isClosed) return;
    const waitMs = Math.min(delayMs, maxWaitMs);
    this.#cancelTimer = this.#options.clock.setTimer(waitMs, () => this.notify());
  }
}
