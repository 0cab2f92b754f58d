import type { ServerHttp2Stream } from 'node:http2';
import type { Filter } from '../request/exchange.ts';

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
