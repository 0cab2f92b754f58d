import { unauthorized } from '../../machinery/errors/index.ts';
import { bearerToken, peerCertificateOf } from '../../net/http/index.ts';
import { anonymousUser, type RequestAuthenticator } from '../authentication/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';

/** How the authentication of a request ended. */
export interface AuthenticationOutcome {
  /** error: there were credentials, and they prove nothing; failure: there were none, and nobody is anonymous. */
  readonly result: 'success' | 'failure' | 'error';
  /** Name of the user, '' for none. */
  readonly user: string;
  readonly seconds: number;
}

/** How requests are authenticated. */
export interface AuthenticationOptions {
  readonly authenticator: RequestAuthenticator;
  readonly onOutcome: (outcome: AuthenticationOutcome) => void;
  readonly nowMs: () => number;
}

/** Sets the request's user. @throws StatusError 401 when credentials are wrong or missing and anonymous access is off. */
export function authentication({ authenticator, onOutcome, nowMs }: AuthenticationOptions): Filter {
  return async (exchange, next) => {
    const startedAtMs = nowMs();
    const found = authenticator.authenticate(exchange.request, exchange.audit);
    const user = found instanceof Promise ? await found : found;
    const result = user === undefined ? resultWithoutUser(exchange) : 'success';
    onOutcome({ result, user: user?.name ?? '', seconds: (nowMs() - startedAtMs) / 1000 });
    if (user === undefined) throw unauthorized();
    exchange.user = user;
    if (user !== anonymousUser) exchange.trust?.();
    await next(exchange);
  };
}

function resultWithoutUser({ request }: Exchange): AuthenticationOutcome['result'] {
  const hasCredentials = bearerToken(request) !== undefined || peerCertificateOf(request) !== undefined;
  return hasCredentials ? 'error' : 'failure';
}
