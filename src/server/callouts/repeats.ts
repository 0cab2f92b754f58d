import type { ClientRequest } from 'node:http';
import { type Clock, errorCode, pause } from '../../base/index.ts';
import { CalloutError } from './webhook-caller.ts';

/** How calls are repeated. */
export interface BackoffOptions {
  readonly clock: Clock;
  /** Between 0 and 1, for the lengths of pauses. */
  readonly random: () => number;
  /** Before the second call; 500 ms when left out. Later pauses are longer. */
  readonly initialDelayMs?: number | undefined;
  /** Which failures are followed by another call; when left out, those that release 1.20 thinks transient. */
  readonly isTransient?: ((error: unknown) => boolean) | undefined;
  /** Ends the pauses. */
  readonly signal: AbortSignal;
}

/** As release 1.20 repeats calls of webhooks for tokens, access and audit (apiserver, `DefaultRetryBackoffWithInitialDelay`). */
const backoff = { calls: 5, delayMs: 500, factor: 1.5, jitter: 0.2 };

/**
 * What a call gives, which is made up to five times while its failures are transient.
 *
 * @throws What the last call throws.
 */
export async function callWithBackoff<T>(call: () => Promise<T>, options: BackoffOptions): Promise<T> {
  const { clock, random, initialDelayMs = backoff.delayMs, signal, isTransient = maySucceed } = options;
  let delayMs = initialDelayMs;
  for (let calls = 1; ; calls++) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || calls === backoff.calls) throw error;
      const hasPaused = await pause(clock, delayMs * (1 + random() * backoff.jitter), signal);
      if (!hasPaused) throw error;
      delayMs *= backoff.factor;
    }
  }
}

const maySucceed = (error: unknown): boolean => error instanceof CalloutError && error.isTransient;

/** Methods that may be sent twice. */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request without a body that failed may be sent again: it went over a kept connection, which the other side
 * may have closed before it read anything. Source: RFC 9110, section 9.2.2; Go's `net/http` does the same.
 */
export function mayRepeat(sent: ClientRequest, error: unknown, signal: AbortSignal): boolean {
  return (
    sent.reusedSocket &&
    (errorCode(error) === 'ECONNRESET' || errorCode(error) === 'EPIPE') &&
    repeatable.has(sent.method) &&
    !signal.aborted
  );
}
