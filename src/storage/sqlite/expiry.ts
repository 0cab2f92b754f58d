import type { Clock, Logger } from '../../base/index.ts';
import type { WriteResult } from '../contract.ts';
import type { ExpiredKeys } from './messages.ts';

/** Keys per round: their deletes take a few milliseconds of one transaction. */
const keysPerRound = 100;
/**
 * Keys that are looked up at once. They are removed in the order of keys: neighbours share pages, so that the log gets
 * a few pages for each round instead of one for nearly every key.
 */
const keysPerRead = 2000;
/** Shortest rest between rounds. They rest for as long as the last one took, so that other writes have their half. */
const minRestMs = 2;
/** Longest wait before the clock is read again: it may be set forward while a timer runs. */
const maxWaitMs = 5000;

export interface ExpiryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** When the first key ends; 0 when none does. */
  readonly nextMs: number;
  readonly read: (request: { readonly nowMs: number; readonly limit: number }) => Promise<ExpiredKeys>;
  /** An ordinary delete of the key at that revision. */
  readonly remove: (key: string, revision: number) => Promise<WriteResult>;
}

interface OverdueKey {
  readonly key: string;
  readonly revision: number;
}

/**
 * Removes keys whose time has come, in small rounds, with deletes like any other: whoever updates a key first wins.
 * It sleeps while no key has a time.
 */
export class Expiry {
  readonly #options: ExpiryOptions;
  /** When the first key ends that is not in `overdue`. */
  #nextMs = Infinity;
  /** What is left to remove of the last keys that were looked up. */
  #overdue: OverdueKey[] = [];
  #cancel: (() => void) | undefined;
  #isRunning = false;
  #isStopped = false;

  constructor(options: ExpiryOptions) {
    this.#options = options;
    this.expect(options.nextMs);
  }

  /** When a key that is written now ends, in milliseconds since the Unix epoch; 0 for never. */
  timeOf(ttlSeconds: number | undefined): number {
    if (ttlSeconds === undefined) return 0;
    const atMs = Math.ceil(this.#options.clock.nowMs() + Math.max(0, ttlSeconds) * 1000);
    return Math.max(1, Math.min(atMs, Number.MAX_SAFE_INTEGER));
  }

  /** Announces a key that was committed with this time; 0 is ignored. */
  expect(atMs: number): void {
    if (atMs === 0 || atMs >= this.#nextMs) return;
    this.#nextMs = atMs;
    if (!this.#isRunning && this.#overdue.length === 0) this.#sleep(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  get #dueMs(): number {
    return this.#overdue.length > 0 ? 0 : this.#nextMs;
  }

  #sleep(leastMs: number): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#isStopped || this.#dueMs === Infinity) return;
    const waitMs = Math.max(leastMs, this.#dueMs - this.#options.clock.nowMs());
    this.#cancel = this.#options.clock.setTimer(Math.min(waitMs, maxWaitMs), () => this.#wake());
  }

  #wake(): void {
    const { clock, logger } = this.#options;
    if (this.#isRunning) return;
    if (this.#dueMs > clock.nowMs()) {
      this.#sleep(0);
      return;
    }
    this.#isRunning = true;
    const startedMs = performance.now();
    this.#removeSome().then(
      () => this.#rest(Math.max(minRestMs, performance.now() - startedMs)),
      (error: unknown) => {
        if (!this.#isStopped) logger.error('expired key removal failed', { error });
        // The keys are still there, so that the next round finds them again.
        this.#overdue = [];
        this.#nextMs = Math.min(this.#nextMs, clock.nowMs());
        this.#rest(maxWaitMs);
      },
    );
  }

  #rest(leastMs: number): void {
    this.#isRunning = false;
    this.#sleep(leastMs);
  }

  async #removeSome(): Promise<void> {
    if (this.#overdue.length === 0) await this.#readOverdue();
    const round = this.#overdue.splice(0, keysPerRound);
    await Promise.all(round.map(({ key, revision }) => this.#options.remove(key, revision)));
  }

  async #readOverdue(): Promise<void> {
    // What is committed while this reads is announced by `expect`.
    this.#nextMs = Infinity;
    const nowMs = this.#options.clock.nowMs();
    const { keys, revisions, nextMs } = await this.#options.read({ nowMs, limit: keysPerRead });
    if (nextMs !== 0) this.#nextMs = Math.min(this.#nextMs, nextMs);
    this.#overdue = keys
      .map((key, index) => ({ key, revision: revisions[index] ?? 0 }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}
