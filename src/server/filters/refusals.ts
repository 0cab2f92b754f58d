import { badRequest, otherFailure } from '../../machinery/errors/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { respondText } from '../request/respond.ts';
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
  const target = JSON.stringify(exchange.request.url);
  const text = `Internal Server Error: ${target}: failed to create RequestInfo: ${fault}\n`;
  respondText(exchange, 500, text);
  return Promise.resolve();
};

/** Subresources that answer such requests themselves. */
const connectingSubresources = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Which upgrades are let through. */
interface UpgradeOptions {
  readonly isOriginAllowed: OriginTest | undefined;
  /** Whether another server answers a request, and decides what the connection becomes. */
  readonly isRemote: (exchange: Exchange) => boolean;
}

/**
 * Checks requests that ask for another protocol (`Upgrade`): WebSockets for watches, and the subresources that upgrade
 * themselves. Browsers open WebSockets to any server, with the user's certificate, so the origin must be the server's
 * own or an allowed one.
 *
 * @throws StatusError 400 for other protocols and paths, 403 for origins that are not allowed
 */
export function upgrades({ isOriginAllowed, isRemote }: UpgradeOptions): Filter {
  return (exchange, next) => (exchange.upgrade === undefined ? next(exchange) : check(exchange, next));

  async function check(exchange: Exchange, next: Parameters<Filter>[1]): Promise<void> {
    const { info, request } = exchange;
    const { origin, host } = request.headers;
    if (typeof origin === 'string' && !isOwn(origin, host) && isOriginAllowed?.(origin) !== true) {
      throw otherFailure(403, 'Forbidden', `origin ${JSON.stringify(origin)} may not open WebSockets`);
    }
    if (connectingSubresources.has(info.subresource) || isRemote(exchange)) {
      await next(exchange);
      return;
    }
    const wanted = String(request.headers.upgrade ?? '');
    if (info.verb !== 'watch' || wanted.toLowerCase() !== 'websocket') {
      throw badRequest(
        `the connection cannot become ${JSON.stringify(wanted)} here: only watches can be WebSockets`,
      );
    }
    await next(exchange);
  }
}

const isOwn = (origin: string, host: string | undefined): boolean =>
  origin.slice(origin.indexOf('://') + 3) === host;
