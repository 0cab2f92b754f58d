import { badRequest } from '../../machinery/errors/index.ts';
import type { Filter } from '../request/exchange.ts';

/** For servers whose gate `DryRun` is off: dry runs are refused. @throws StatusError 400 for requests that ask for it. */
export const noDryRun: Filter = async (exchange, next) => {
  if (exchange.info.isResource && exchange.query.has('dryRun'))
    throw badRequest('the dryRun feature is disabled');
  await next(exchange);
};
