import { timeout } from '../../machinery/errors/index.ts';
import type { Filter } from '../request/exchange.ts';

/** Requests that stream as long as the client wants. */
const streamingSubresources = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Ends requests that take too long with a 504. The work behind them may still finish. */
export function deadline(requestTimeoutMs: number): Filter {
  return async (exchange, next) => {
    const { verb, subresource } = exchange.info;
    if (verb === 'watch' || streamingSubresources.has(subresource)) return next(exchange);
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
