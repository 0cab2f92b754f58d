import type { Clock } from '../base/index.ts';
import { type BackoffOptions, backoffMs } from './backoff.ts';

export interface RetryQueueOptions<K> {
  /** Makes what `key` stands for right. What it throws is a failure: the key comes again after a growing delay. */
  readonly reconcile: (key: K) => Promise<void>;
  /** Keys that are worked on at once. */
  readonly concurrency: number;
  readonly backoff: BackoffOptions;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told of every failure, with the delay before the next try. */
  readonly onFailure: (key: K, error: unknown, retryMs: number) => void;
}

/**
 * Keys that wait for work. A key is worked on by one worker at a time; added again meanwhile, it comes once more
 * afterwards. Nothing runs while the queue is held.
 */
export class RetryQueue<K> {
  readonly #options: RetryQueueOptions<K>;
  readonly #waiting = new Set<K>();
  readonly #running = new Set<K>();
  /** Keys to add again once their run has ended. */
  readonly #again = new Set<K>();
  readonly #failures = new Map<K, number>();
  readonly #timers = new Map<K, () => void>();
  #isHeld = false;
  #idle: (() => void) | undefined;

  constructor(options: RetryQueueOptions<K>) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Keys waiting, running or delayed. */
  get size(): number {
    return this.#waiting.size + this.#running.size + this.#timers.size;
  }

  /** Works on `key` soon; a delay that it waits for ends. */
  add(key: K): void {
    if (this.#options.signal.aborted) return;
    this.#timers.get(key)?.();
    this.#timers.delete(key);
    if (this.#running.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#schedule();
  }

  /** Works on `key` after a delay that grows with each call, until it succeeds once. */
  addLater(key: K): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    const delayMs = backoffMs(failures, this.#options.backoff);
    if (this.#options.signal.aborted) return delayMs;
    this.#failures.set(key, failures);
    this.#timers.get(key)?.();
    this.#timers.set(
      key,
      this.#options.clock.setTimer(delayMs, () => this.add(key)),
    );
    return delayMs;
  }

  /** Starts no more work until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#schedule();
  }

  /** Resolves once the signal has aborted and all that was running has ended. */
  async ended(): Promise<void> {
    if (this.#options.signal.aborted && this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  #stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#waiting.clear();
    this.#again.clear();
    if (this.#running.size === 0) this.#idle?.();
  }

  #schedule(): void {
    if (this.#isHeld) return;
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.concurrency) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#work(key);
    }
  }

  async #work(key: K): Promise<void> {
    const { reconcile, onFailure, signal } = this.#options;
    let error: unknown;
    let isFailure = false;
    try {
      await reconcile(key);
    } catch (thrown) {
      isFailure = true;
      error = thrown;
    }
    this.#running.delete(key);
    if (signal.aborted) {
      if (this.#running.size === 0) this.#idle?.();
      return;
    }
    const isWantedAgain = this.#again.delete(key);
    if (isFailure) {
      const retryMs = this.addLater(key);
      onFailure(key, error, retryMs);
    } else if (!this.#timers.has(key)) this.#failures.delete(key);
    if (isWantedAgain) this.add(key);
    this.#schedule();
  }
}
