import { type Clock, errorText, type Logger, pause } from '../../base/index.ts';

/** How work is done. */
export interface KeyedWorkOptions {
  /** Does the work for one key. Runs for one key once at a time. */
  run(key: string): Promise<void>;
  /** Keys that are worked on at once. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/** Time before what failed is tried again, doubled each time up to the longest. */
const [firstDelayMs, longestDelayMs] = [100, 30_000];

/** Work by key: what is asked for again while it is done is done once more afterwards; what fails is tried again later. */
export class KeyedWork {
  readonly #options: KeyedWorkOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();

  constructor(options: KeyedWorkOptions) {
    this.#options = options;
  }

  /** Has the work of a key done soon. */
  add(key: string): void {
    if (this.#options.signal.aborted) return;
    this.#waiting.add(key);
    this.#next();
  }

  /** Resolves when nothing runs any more. Called after the signal was aborted. */
  async ended(): Promise<void> {
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  #next(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.set(key, this.#work(key));
    }
  }

  async #work(key: string): Promise<void> {
    const { run, logger, signal } = this.#options;
    try {
      await run(key);
      this.#failures.delete(key);
    } catch (error) {
      if (!signal.aborted) {
        logger.error('work on a definition failed, it will be tried again', { key, error: errorText(error) });
        this.#retry(key);
      }
    } finally {
      this.#running.delete(key);
      this.#next();
    }
  }

  #retry(key: string): void {
    const { clock, signal } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    void pause(clock, Math.min(firstDelayMs * 2 ** failures, longestDelayMs), signal).then(() =>
      this.add(key),
    );
  }
}
