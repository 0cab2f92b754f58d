/** Pauses between attempts: each longer than the one before, up to a limit. */
export interface Backoff {
  /** The next pause in milliseconds. */
  nextDelayMs(): number;
  /** Begins again with the shortest pause. */
  reset(): void;
}

/** Shape of a backoff. Times in milliseconds. */
export interface BackoffOptions {
  readonly firstMs?: number;
  readonly maxMs?: number;
  readonly factor?: number;
  /** Share of a pause that chance may add, so that many clients do not come back at once. */
  readonly jitter?: number;
  /** Numbers from 0 to 1; tests give their own. */
  readonly random?: () => number;
}

/** Makes a backoff; by default 800 ms doubling up to 30 s, as reflectors of client-go have it. */
export function createBackoff(options: BackoffOptions = {}): Backoff {
  const { firstMs = 800, maxMs = 30_000, factor = 2, jitter = 1, random = Math.random } = options;
  let delayMs = firstMs;
  return {
    nextDelayMs() {
      const current = delayMs;
      delayMs = Math.min(delayMs * factor, maxMs);
      return current * (1 + random() * jitter);
    },
    reset() {
      delayMs = firstMs;
    },
  };
}
