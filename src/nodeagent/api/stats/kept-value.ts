import type { Clock } from '../../../base/index.ts';

/** How a value is measured, and how long in ms a measurement is reused. */
export interface KeptValueOptions<T> {
  /** Whoever asks within this time gets what was found before; nothing is kept when it is 0 or less. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
  readonly measure: () => Promise<T>;
}

/**
 * Something that takes work to find out, found out when it is asked for and then kept for a while. Those who ask while
 * that goes on get the same answer; a failure is not kept.
 */
export class KeptValue<T> {
  readonly #options: KeptValueOptions<T>;
  #begunAtMs = Number.NEGATIVE_INFINITY;
  #value: Promise<T> | undefined;

  constructor(options: KeptValueOptions<T>) {
    this.#options = options;
  }

  /** At most so old as the options allow, counted from when it began to be found out. @throws as `measure` */
  get(): Promise<T> {
    const { maxAgeMs, clock, measure } = this.#options;
    const nowMs = clock.nowMs();
    const ageMs = nowMs - this.#begunAtMs;
    // A clock that was set back must not keep a value for ever.
    if (this.#value !== undefined && ageMs >= 0 && ageMs < maxAgeMs) return this.#value;
    const value = measure();
    this.#value = value;
    this.#begunAtMs = nowMs;
    value.catch(() => {
      if (this.#value === value) this.#value = undefined;
    });
    return value;
  }
}
