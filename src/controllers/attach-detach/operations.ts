import type { Clock } from '../../base/index.ts';

/** Pauses between tries. Source: release 1.20, `exponentialbackoff`. */
const retries = { firstMs: 500, maxMs: 122_000 };

interface Operation {
  readonly isPending: boolean;
  readonly failures: number;
  readonly retryAtMs: number;
}

/** Work that goes on beside, one at a time for each key; what failed rests, longer each time. */
export class Operations {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Operation>();
  readonly #running = new Set<Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isPending(key: string): boolean {
    return this.#byKey.get(key)?.isPending === true;
  }

  /** Begins unless something of the key goes on or rests. A rejection of `work` counts as a failure, and goes no further. */
  start(key: string, work: () => Promise<void>): void {
    const { isPending = false, failures = 0, retryAtMs = 0 } = this.#byKey.get(key) ?? {};
    if (isPending || this.#clock.nowMs() < retryAtMs) return;
    this.#byKey.set(key, { isPending: true, failures, retryAtMs });
    const running = work().then(
      () => {
        this.#byKey.delete(key);
      },
      () => {
        const pauseMs = Math.min(retries.firstMs * 2 ** failures, retries.maxMs);
        const again = this.#clock.nowMs() + pauseMs;
        this.#byKey.set(key, { isPending: false, failures: failures + 1, retryAtMs: again });
      },
    );
    this.#running.add(running);
    running.finally(() => this.#running.delete(running));
  }

  /** Resolves when nothing goes on any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
