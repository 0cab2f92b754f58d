import { type Clock, pause } from '../../../base/index.ts';
import { TransportError, type TransportErrorCode } from '../../../client/rest/index.ts';

const attempts = 5;
const firstDelayMs = 500;
const growth = 1.5;
const passing: ReadonlySet<TransportErrorCode> = new Set(['refused', 'unreachable', 'timeout', 'broken']);

/** Pauses between attempts, and the limit of all attempts together. */
export interface Patience {
  readonly clock: Clock;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** Asks the API server again while it cannot be reached, a few times. @throws what the last attempt threw */
export async function askPatiently<T>(ask: () => Promise<T>, { clock, signal }: Patience): Promise<T> {
  for (let attempt = 1, delayMs = firstDelayMs; ; attempt++, delayMs *= growth) {
    try {
      return await ask();
    } catch (error) {
      const isPassing = error instanceof TransportError && passing.has(error.code);
      if (!isPassing || attempt >= attempts || !(await pause(clock, delayMs, signal))) throw error;
    }
  }
}
