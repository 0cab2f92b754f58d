import type { Clock } from '../../src/base/index.ts';

interface Timer {
  readonly atMs: number;
  readonly owner: unknown;
  readonly callback: () => void;
}

/**
 * Time that only a test moves. Everything that waits for it runs in one order: timers by their moments, then by their
 * age; between two of them all promises settle.
 */
export class SimulatedTime {
  readonly beginMs: number;
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(nowMs = Date.UTC(2030, 0, 1)) {
    this.beginMs = nowMs;
    this.#nowMs = nowMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** A clock whose timers can be counted and dropped together. */
  clockOf(owner: unknown): Clock {
    return {
      nowMs: () => this.#nowMs,
      setTimer: (delayMs, callback) => {
        const timer = { atMs: this.#nowMs + Math.max(1, delayMs), owner, callback };
        this.#timers.add(timer);
        return () => void this.#timers.delete(timer);
      },
    };
  }

  /** Timers of an owner that have not fired. */
  pending(owner: unknown): number {
    return [...this.#timers].filter((each) => each.owner === owner).length;
  }

  drop(owner: unknown): void {
    for (const timer of this.#timers) if (timer.owner === owner) this.#timers.delete(timer);
  }

  /** Resolves so much later, in simulated time. */
  sleep(delayMs: number): Promise<void> {
    return delayMs <= 0
      ? Promise.resolve()
      : new Promise((resolve) => void this.clockOf(undefined).setTimer(delayMs, resolve));
  }

  /** Moves time on, from timer to timer. */
  async pass(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    await settle();
    for (let next = this.#next(); next !== undefined && next.atMs <= untilMs; next = this.#next()) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
      await settle();
    }
    this.#nowMs = untilMs;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.atMs < first.atMs) first = timer;
    return first;
  }
}

/** Resolves when promises have settled that wait for nothing but one another. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
