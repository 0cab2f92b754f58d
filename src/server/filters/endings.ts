import type { ServerHttp2Stream } from 'node:http2';
import { timeout } from '../../machinery/errors/index.ts';
import type { Filter } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';

/**
 * Aborts requests at their deadline: they end with a 504, no longer count as in flight, and their connection closes.
 * Work that ignores the signal may still finish.
 */
export function deadline(requestTimeoutMs: number): Filter {
  return (exchange, next) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    // Each request passes here: a race between two promises would take three times as long.
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const late = timeout('request did not complete within the allotted timeout', 0);
        exchange.onDeadline?.();
        exchange.abort(late);
        reject(late);
      }, requestTimeoutMs);
      next(exchange).then(
        () => {
          clearTimeout(timer);
          resolve();
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  };
}

/**
 * Now and then asks an HTTP/2 client to connect anew, so that clients spread over replicas (`--goaway-chance`). The
 * requests that are under way on the connection are finished first.
 */
export function goAway(chance: number, random: () => number): Filter {
  return async (exchange, next) => {
    if (random() < chance && 'stream' in exchange.request) {
      // HTTP/2 requests have the stream that they came on.
      (exchange.request.stream as ServerHttp2Stream).session?.close();
    }
    await next(exchange);
  };
}
