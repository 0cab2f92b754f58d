import { type Clock, pause } from '../base/index.ts';

export interface RepeatOptions {
  readonly clock: Clock;
  /** From the end of one run to the start of the next. */
  readonly intervalMs: number;
  /** Ends the repetition. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs something again and again, first after one interval. Resolves when the signal aborts and nothing runs any more;
 * never rejects.
 */
export async function repeat(run: () => Promise<void>, options: RepeatOptions): Promise<void> {
  const { clock, intervalMs, signal, onError } = options;
  while (await pause(clock, intervalMs, signal)) {
    try {
      await run();
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }
}
