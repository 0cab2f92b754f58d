import type { Clock } from '../../base/index.ts';

/** Where a queue counts what goes through it. Source: client-go, `util/workqueue/metrics.go`. */
export interface WorkQueueMetrics {
  /** So many keys more wait, or fewer. */
  addDepth(change: number): void;
  countAdd(): void;
  countRetry(): void;
  /** How long a key waited, in seconds. */
  observeWait(seconds: number): void;
  /** How long the work on a key took, in seconds. */
  observeWork(seconds: number): void;
  /** Keys in work can be asked for at any time: for how many seconds each has been. The returned function ends that. */
  followWork(secondsInWork: () => readonly number[]): () => void;
}

/** When each key of a queue was added, and when the work on it began. */
export class QueueTimes<K> {
  readonly #metrics: WorkQueueMetrics;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #addedMs = new Map<K, number>();
  readonly #begunMs = new Map<K, number>();
  readonly #unfollow: () => void;

  constructor(metrics: WorkQueueMetrics, clock: Pick<Clock, 'nowMs'>) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#unfollow = metrics.followWork(() => Array.from(this.#begunMs.values(), (ms) => this.#since(ms)));
  }

  /** A key waits; one that waits already is not counted again. */
  added(key: K): void {
    if (this.#addedMs.has(key)) return;
    this.#addedMs.set(key, this.#clock.nowMs());
    this.#metrics.countAdd();
    this.#metrics.addDepth(1);
  }

  begun(key: K): void {
    const addedMs = this.#addedMs.get(key);
    this.#begunMs.set(key, this.#clock.nowMs());
    if (addedMs === undefined) return;
    this.#addedMs.delete(key);
    this.#metrics.addDepth(-1);
    this.#metrics.observeWait(this.#since(addedMs));
  }

  ended(key: K): void {
    const begunMs = this.#begunMs.get(key);
    if (begunMs === undefined) return;
    this.#begunMs.delete(key);
    this.#metrics.observeWork(this.#since(begunMs));
  }

  retried(): void {
    this.#metrics.countRetry();
  }

  /** Nothing waits any more. */
  stop(): void {
    this.#metrics.addDepth(-this.#addedMs.size);
    this.#addedMs.clear();
    this.#unfollow();
  }

  #since(ms: number): number {
    return Math.max(0, this.#clock.nowMs() - ms) / 1000;
  }
}
