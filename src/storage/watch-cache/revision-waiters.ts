import type { Clock } from '../../base/index.ts';
import { StorageError } from '../contract.ts';

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  readonly revision: number;
  readonly settle: (error?: unknown) => void;
}

/** Promises that resolve when a revision is reached. */
export class RevisionWaiters {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws StorageError `future-revision` after `timeoutMs`; the signal's reason when it is aborted. */
  wait(revision: number, { timeoutMs, signal }: WaitOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => settle(signal?.reason);
      const settle = (error?: unknown): void => {
        this.#waiters.delete(waiter);
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve();
        else reject(error);
      };
      const waiter: Waiter = { revision, settle };
      const cancelTimer = this.#clock.setTimer(timeoutMs, () => settle(timeoutError(revision, timeoutMs)));
      this.#waiters.add(waiter);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
    });
  }

  advance(revision: number): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision <= revision) waiter.settle();
    }
  }

  failAll(error: StorageError): void {
    for (const waiter of [...this.#waiters]) waiter.settle(error);
  }
}

function timeoutError(revision: number, timeoutMs: number): StorageError {
  return new StorageError('future-revision', `revision ${revision} was not reached within ${timeoutMs} ms`);
}
