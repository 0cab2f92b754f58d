import type { Clock } from '../../base/index.ts';
import { createSortedTree } from '../sorted-tree.ts';

export interface ExpirationsOptions {
  readonly clock: Clock;
  /** Removes a key whose time is over. Called once per `set`, never early, never after `stop`. */
  readonly expire: (key: string) => void;
}

/** Keys that are removed in one turn of the event loop: thousands that end together must not hold up requests. */
const batchSize = 100;

/** The longest wait that timers can count; later times are looked at again then. */
const maxTimerMs = 2 ** 31 - 1;

/** When keys end by themselves. */
export class Expirations {
  readonly #clock: Clock;
  readonly #expire: (key: string) => void;
  readonly #timesMs = new Map<string, number>();
  /** Keys by time and then by key. */
  readonly #queue = createSortedTree<string>();
  #cancelTimer: (() => void) | undefined;
  /** What the timer waits for; Infinity while there is no timer. */
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor({ clock, expire }: ExpirationsOptions) {
    this.#clock = clock;
    this.#expire = expire;
  }

  /** Ends `key` after `ttlSeconds`, counted from now, or not at all when that is left out. Replaces what was set. */
  set(key: string, ttlSeconds: number | undefined): void {
    this.#forget(key);
    if (ttlSeconds === undefined) return;
    const atMs = Math.min(this.#clock.nowMs() + Math.max(0, ttlSeconds) * 1000, Number.MAX_SAFE_INTEGER);
    this.#timesMs.set(key, atMs);
    this.#queue.set(queueKey(atMs, key), key);
    if (atMs < this.#timerAtMs) this.#wakeAt(atMs);
  }

  /** Cancels the timer; nothing expires any more. */
  stop(): void {
    this.#cancelTimer?.();
    this.#timesMs.clear();
    this.#queue.clear();
  }

  #forget(key: string): void {
    const atMs = this.#timesMs.get(key);
    if (atMs === undefined) return;
    this.#timesMs.delete(key);
    this.#queue.delete(queueKey(atMs, key));
  }

  #wakeAt(atMs: number): void {
    this.#cancelTimer?.();
    this.#timerAtMs = atMs;
    const delayMs = Math.max(0, atMs - this.#clock.nowMs());
    this.#cancelTimer = this.#clock.setTimer(Math.min(delayMs, maxTimerMs), () => this.#run());
  }

  #run(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.nowMs();
    for (let count = 0; count < batchSize; count++) {
      const key = this.#first();
      if (key === undefined || this.#timeOf(key) > nowMs) break;
      this.#forget(key);
      this.#expire(key);
    }
    const next = this.#first();
    if (next !== undefined) this.#wakeAt(this.#timeOf(next));
  }

  #first(): string | undefined {
    const at = this.#queue.minKey();
    return at === undefined ? undefined : this.#queue.get(at);
  }

  #timeOf(key: string): number {
    return this.#timesMs.get(key) ?? Number.POSITIVE_INFINITY;
  }
}

/** Digits of the largest time, so that text order is the order of times. */
const timeDigits = 17;

function queueKey(atMs: number, key: string): string {
  return `${String(Math.ceil(atMs)).padStart(timeDigits, '0')} ${key}`;
}
