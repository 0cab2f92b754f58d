import { badRequest, otherFailure } from '../../machinery/errors/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import type { OriginTest } from './cors.ts';

/** Subresources that answer such requests themselves. */
const connectingSubresources = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Which upgrades are let through. */
export interface UpgradeOptions {
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
