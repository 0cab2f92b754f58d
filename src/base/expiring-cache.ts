/** How much a cache keeps, and by which time. */
export interface ExpiringCacheOptions {
  readonly maxEntries: number;
  readonly nowMs: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly endMs: number;
}

/** Values that count for a time of their own. The one that was asked for longest ago gives way to a new one. */
export class ExpiringCache<Value> {
  readonly #options: ExpiringCacheOptions;
  /** The one that was used last is the last. */
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: ExpiringCacheOptions) {
    this.#options = options;
  }

  /** What was put there, as long as it counts. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.endMs <= this.#options.nowMs()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value for `lifetimeMs`: not at all when that is zero. */
  set(key: string, value: Value, lifetimeMs: number): void {
    this.#entries.delete(key);
    if (lifetimeMs <= 0) return;
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= this.#options.maxEntries && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, { value, endMs: this.#options.nowMs() + lifetimeMs });
  }
}
