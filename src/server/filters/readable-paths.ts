import type { Filter } from '../request/exchange.ts';
import { respondText } from '../request/respond.ts';

/** Answers paths that mean a resource and name none, before anybody is asked who they are, as release 1.20 does. */
export const readablePaths: Filter = (exchange, next) => {
  const { fault } = exchange.info;
  if (fault === undefined) return next(exchange);
  const target = JSON.stringify(exchange.request.url);
  const text = `Internal Server Error: ${target}: failed to create RequestInfo: ${fault}\n`;
  respondText(exchange, 500, text);
  return Promise.resolve();
};
