import { badRequest, otherFailure } from '../../machinery/errors/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { respondInternalError } from '../request/respond.ts';
import type { OriginTest } from './cors.ts';

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
  respondInternalError(exchange, `failed to create RequestInfo: ${fault}, ${exchange.request.url}`);
  return Promise.resolve();
};

/**
 * Browsers open WebSockets to any server, with the user's certificate, so where the connection of a request may become
 * another protocol's, its origin must be the server's own or an allowed one.
 *
 * @throws StatusError 403 for origins that are not allowed
 */
export function upgradeOrigins(isOriginAllowed: OriginTest | undefined): Filter {
  return (exchange, next) => {
    if (exchange.upgrade !== undefined) checkOrigin(exchange, isOriginAllowed);
    return next(exchange);
  };
}

function checkOrigin({ request }: Exchange, isOriginAllowed: OriginTest | undefined): void {
  const { origin, host } = request.headers;
  if (typeof origin === 'string' && !isOwn(origin, host) && isOriginAllowed?.(origin) !== true) {
    throw otherFailure(403, 'Forbidden', `origin ${JSON.stringify(origin)} may not open WebSockets`);
  }
}

const isOwn = (origin: string, host: string | undefined): boolean =>
  origin.slice(origin.indexOf('://') + 3) === host;
