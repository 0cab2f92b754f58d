import { timeout } from '../../machinery/errors/index.ts';
import type { Filter } from '../request/exchange.ts';
import { isLongRunning } from '../request/long-running.ts';

/** Ends requests that take too long with a 504. The work behind them may still finish. */
export function deadline(requestTimeoutMs: number): Filter {
  return async (exchange, next) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(timeout('request did not complete within the allotted timeout', 0));
      }, requestTimeoutMs);
    });
    try {
      await Promise.race([next(exchange), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
