import { type Clock, systemClock } from '../../base/index.ts';
import { QueueTimes, type WorkQueueMetrics } from './queue-times.ts';

/** How a queue works. Times in milliseconds. */
export interface WorkQueueOptions<K> {
  /** Works on a key. A rejection puts the key back after a pause that doubles with every failure in a row. */
  readonly work: (key: K, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  /**
   * For how long a key rests after the work on it: what is added in that time is done once, at its end. Default 0. It makes
   * work that costs much, and that many events ask for, take a bounded share of the time.
   */
  readonly restMs?: ((key: K) => number) | undefined;
  /** Keys in work at a time. Default 1. */
  readonly concurrency?: number | undefined;
  /** Pause after the first failure. Default 5. */
  readonly firstRetryMs?: number | undefined;
  /** Longest pause. Default 1000 s, as client-go's controllers have it. */
  readonly maxRetryMs?: number | undefined;
  /** Numbers from 0 to 1 that spread each pause over its upper half; without it pauses are exact. */
  readonly random?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
  readonly metrics?: WorkQueueMetrics | undefined;
  /** Told of every failure, before the pause. */
  readonly onError?: ((error: unknown, key: K, failures: number) => void) | undefined;
}

/** Keys to work on. Each is in the queue at most once and never in work twice at the same time. */
export interface WorkQueue<K> {
  /** Queues a key. One that is in work or rests is done again afterwards; one that waits for a retry is done now. */
  add(key: K): void;
  /** Queues a key after a delay, or earlier when somebody adds it. */
  addAfter(key: K, delayMs: number): void;
  /** Keys that wait to be worked on, retries not included. */
  readonly length: number;
  /** Resolves when nothing waits and nothing is in work; delayed keys do not count. */
  whenIdle(): Promise<void>;
  /** Resolves when the signal has aborted and work in progress has ended. */
  readonly done: Promise<void>;
}

/** Makes a queue that works until `signal` aborts. Keys are compared as in a Map: text, numbers, or same objects. */
export function createWorkQueue<K>(options: WorkQueueOptions<K>): WorkQueue<K> {
  return new Queue(options);
}

class Queue<K> implements WorkQueue<K> {
  readonly done: Promise<void>;
  readonly #options: WorkQueueOptions<K>;
  readonly #clock: Clock;
  /** Keys to work on, oldest first. Never holds a key of `#inWork`. */
  readonly #waiting = new Set<K>();
  readonly #inWork = new Set<K>();
  /** Keys that rest, and what ends that. */
  readonly #resting = new Map<K, () => void>();
  /** Keys of `#inWork` and `#resting` that were added meanwhile. */
  readonly #again = new Set<K>();
  readonly #failures = new Map<K, number>();
  readonly #times: QueueTimes<K> | undefined;
  readonly #timers = new Map<K, { readonly dueMs: number; readonly cancel: () => void }>();
  readonly #idle: (() => void)[] = [];
  readonly #ended = Promise.withResolvers<void>();

  constructor(options: WorkQueueOptions<K>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#times = options.metrics && new QueueTimes(options.metrics, this.#clock);
    this.done = this.#ended.promise;
    if (options.signal.aborted) this.#end();
    else options.signal.addEventListener('abort', () => this.#end(), { once: true });
  }

  get length(): number {
    return this.#waiting.size;
  }

  add(key: K): void {
    if (this.#options.signal.aborted) return;
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
    this.#times?.added(key);
    if (this.#inWork.has(key) || this.#resting.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#startWork();
  }

  addAfter(key: K, delayMs: number): void {
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    if (this.#options.signal.aborted) return;
    this.#times?.retried();
    if (this.#waiting.has(key)) return;
    const dueMs = this.#clock.nowMs() + delayMs;
    const pending = this.#timers.get(key);
    if (pending !== undefined && pending.dueMs <= dueMs) return;
    pending?.cancel();
    this.#timers.set(key, { dueMs, cancel: this.#clock.setTimer(delayMs, () => this.add(key)) });
  }

  whenIdle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #startWork(): void {
    const { concurrency = 1, signal } = this.#options;
    while (this.#inWork.size < concurrency && !signal.aborted) {
      const next = this.#waiting.values().next();
      if (next.done) return;
      this.#waiting.delete(next.value);
      this.#inWork.add(next.value);
      void this.#workOn(next.value);
    }
  }

  async #workOn(key: K): Promise<void> {
    const { work, signal, onError } = this.#options;
    this.#times?.begun(key);
    try {
      await work(key, signal);
      this.#failures.delete(key);
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      if (!signal.aborted) {
        onError?.(error, key, failures);
        if (!this.#again.has(key)) this.addAfter(key, this.#retryDelayMs(failures));
      }
    }
    this.#times?.ended(key);
    this.#inWork.delete(key);
    const restMs = signal.aborted ? 0 : (this.#options.restMs?.(key) ?? 0);
    if (restMs > 0)
      this.#resting.set(
        key,
        this.#clock.setTimer(restMs, () => this.#goOnWith(key)),
      );
    else this.#goOnWith(key);
    this.#startWork();
    this.#settle();
  }

  /** A key may be worked on again. */
  #goOnWith(key: K): void {
    this.#resting.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  #retryDelayMs(failures: number): number {
    const { firstRetryMs = 5, maxRetryMs = 1_000_000, random } = this.#options;
    const pauseMs = Math.min(firstRetryMs * 2 ** (failures - 1), maxRetryMs);
    return random === undefined ? pauseMs : pauseMs * (0.5 + random() / 2);
  }

  #isIdle(): boolean {
    return this.#waiting.size === 0 && this.#inWork.size === 0 && this.#again.size === 0;
  }

  #settle(): void {
    if (!this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
    if (this.#options.signal.aborted) this.#ended.resolve();
  }

  #end(): void {
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    for (const endRest of this.#resting.values()) endRest();
    this.#resting.clear();
    this.#waiting.clear();
    this.#again.clear();
    this.#times?.stop();
    this.#settle();
  }
}
