import { unauthorized } from '../../machinery/errors/index.ts';
import { anonymousUser, type RequestAuthenticator } from '../authentication/index.ts';
import type { Filter } from '../request/exchange.ts';

/** Sets the request's user. @throws StatusError 401 when credentials are wrong or missing and anonymous access is off. */
export function authentication(authenticator: RequestAuthenticator): Filter {
  return async (exchange, next) => {
    const found = authenticator.authenticate(exchange.request, exchange.audit);
    const user = found instanceof Promise ? await found : found;
    if (user === undefined) throw unauthorized();
    exchange.user = user;
    if (user !== anonymousUser) exchange.trust?.();
    await next(exchange);
  };
}
