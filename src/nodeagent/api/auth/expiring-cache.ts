import type { Clock } from '../../../base/index.ts';

interface Entry<T> {
  readonly value: T;
  readonly untilMs: number;
}

/** Answers that expire; the oldest are dropped when there are too many. */
export class ExpiringCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #asking = new Map<string, Promise<T>>();
  readonly #clock: Clock;
  readonly #maxEntries: number;

  constructor(clock: Clock, maxEntries: number) {
    this.#clock = clock;
    this.#maxEntries = maxEntries;
  }

  /**
   * The answer for a key: the cached one, that of a request under way, or a new one. Failures are passed on and not
   * cached, and neither are answers with a lifetime of 0.
   */
  async get(key: string, ask: () => Promise<T>, ttlMsOf: (value: T) => number): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.untilMs > this.#clock.nowMs()) return known.value;
    const underWay = this.#asking.get(key);
    if (underWay !== undefined) return underWay;
    const asking = ask();
    this.#asking.set(key, asking);
    try {
      const value = await asking;
      this.#keep(key, value, ttlMsOf(value));
      return value;
    } finally {
      this.#asking.delete(key);
    }
  }

  #keep(key: string, value: T, ttlMs: number): void {
    this.#entries.delete(key);
    if (ttlMs <= 0) return;
    this.#entries.set(key, { value, untilMs: this.#clock.nowMs() + ttlMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) return;
      this.#entries.delete(oldest);
    }
  }
}
