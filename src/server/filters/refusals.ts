import { badRequest } from '../../machinery/errors/index.ts';
import type { Filter } from '../request/exchange.ts';
import { respondText } from '../request/respond.ts';

/** For servers whose gate `DryRun` is off: dry runs are refused. @throws StatusError 400 for requests that ask for it. */
export const noDryRun: Filter = async (exchange, next) => {
  if (exchange.info.isResource && exchange.query.has('dryRun'))
    throw badRequest('the dryRun feature is disabled');
  await next(exchange);
};

/** Answers paths that mean a resource and name none, before anybody is asked who they are, as release 1.20 does. */
export const readablePaths: Filter = (exchange, next) => {
  const { fault } = exchange.info;
  if (fault === undefined) return next(exchange);
  const target = JSON.stringify(exchange.request.url);
  const text = `Internal Server Error: ${target}: failed to create RequestInfo: ${fault}\n`;
  respondText(exchange, 500, text);
  return Promise.resolve();
};
