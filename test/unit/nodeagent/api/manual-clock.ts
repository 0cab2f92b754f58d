import type { Clock } from '../../../../src/base/index.ts';

/** A clock that tests move on. */
export class ManualClock implements Clock {
  #nowMs: number;
  #timers: { readonly atMs: number; readonly callback: () => void }[] = [];

  constructor(nowMs = 1_000_000) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** Moves time on, and calls back whose time has come. */
  advance(byMs: number): void {
    this.#nowMs += byMs;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { callback } of due) callback();
  }
}
