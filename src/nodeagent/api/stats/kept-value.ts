import type { Clock } from '../../../base/index.ts';

/** How a value is measured, and how long in ms a measurement is reused. */
export interface KeptValueOptions<T> {
  /** Requests within this time get the same result; nothing is reused when it is 0 or less. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
  readonly measure: () => Promise<T>;
}

/**
 * An expensive measurement that is made on request and reused for a while. Requests during a measurement share its
 * result; a failure is not reused.
 */
export class KeptValue<T> {
  readonly #options: KeptValueOptions<T>;
  #begunAtMs = Number.NEGATIVE_INFINITY;
  #value: Promise<T> | undefined;

  constructor(options: KeptValueOptions<T>) {
    this.#options = options;
  }

  /** At most as old as the options allow, counted from the start of the measurement. @throws as `measure` */
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
