import type { Filter } from '../request/exchange.ts';

/** Tells whether a browser may call from an origin. */
export type OriginTest = (origin: string) => boolean;

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const headers =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/** Lets browsers call from the allowed origins (`--cors-allowed-origins`), with release 1.20's headers. */
export function cors(isAllowed: OriginTest): Filter {
  return async (exchange, next) => {
    const { origin } = exchange.request.headers;
    if (typeof origin !== 'string' || !isAllowed(origin)) return next(exchange);
    const { response } = exchange;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-methods', methods);
    response.setHeader('access-control-allow-headers', headers);
    response.setHeader('access-control-expose-headers', 'Date');
    response.setHeader('access-control-allow-credentials', 'true');
    if (exchange.method !== 'OPTIONS') return next(exchange);
    response.setHeader('cache-control', 'no-cache, private');
    response.writeHead(204);
    response.end();
  };
}
