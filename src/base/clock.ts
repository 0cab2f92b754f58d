/** The time source that everything with a lifetime is given, so that tests can move time themselves. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Calls `callback` once after `delayMs`; the returned function cancels it. The timer keeps no process alive. */
  setTimer(delayMs: number, callback: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  setTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
