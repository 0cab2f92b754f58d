import { timeout } from '../../machinery/errors/index.ts';
import type { Filter } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';

/**
 * Aborts requests at their deadline: they end with a 504, no longer count as in flight, and their connection closes.
 * Work that ignores the signal may still finish.
 */
export function deadline(requestTimeoutMs: number): Filter {
  return async (exchange, next) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const late = timeout('request did not complete within the allotted timeout', 0);
        exchange.onDeadline?.();
        exchange.abort(late);
        reject(late);
      }, requestTimeoutMs);
    });
    try {
      await Promise.race([next(exchange), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
