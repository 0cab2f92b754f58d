import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { Logger } from '../../../base/index.ts';
import { bearerToken, isTrusted, peerCertificateOf } from '../../../net/http/index.ts';
import type { AgentExchange } from '../http/exchange.ts';
import type { TokenReviews } from './token-reviews.ts';
import { anonymousUser, authenticatedUser } from './user.ts';

/** Says who makes a request. */
export type Authenticate = (exchange: AgentExchange) => Promise<UserInfo | undefined>;

/** Which proofs of who somebody is count. */
export interface AuthenticatorOptions {
  /** Whether client certificates count. */
  readonly hasClientAuthority: boolean;
  /** Reviews bearer tokens; without it tokens are ignored. */
  readonly tokens: TokenReviews | undefined;
  /** Whether requests without credentials are those of the anonymous user. */
  readonly allowsAnonymous: boolean;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

/**
 * Authenticates by client certificate, then by bearer token. Wrong credentials are refused, even where anonymous
 * requests are allowed.
 *
 * @throws Error when the options allow no way to authenticate
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { hasClientAuthority, tokens, allowsAnonymous, nowMs, logger } = options;
  if (!hasClientAuthority && tokens === undefined && !allowsAnonymous) {
    throw new Error('No authentication method configured');
  }
  return async (exchange) => {
    let isRefused = false;
    if (hasClientAuthority) {
      const user = userOfCertificate(exchange, nowMs());
      if (user !== undefined && user !== 'refused') return authenticatedUser(user);
      isRefused = user === 'refused';
    }
    const token = tokens === undefined ? undefined : bearerToken(exchange.request);
    if (tokens !== undefined && token !== undefined) {
      try {
        const user = await tokens.review(token);
        if (user !== undefined) return authenticatedUser(user);
      } catch (error) {
        logger.error('request authentication failed', { error });
      }
      isRefused = true;
    }
    return allowsAnonymous && !isRefused ? anonymousUser : undefined;
  };
}

/**
 * User of a client certificate: the common name, its groups the organizations. `refused`: no authority of ours signed it,
 * or its time is over. Undefined: there is none, or it names nobody.
 */
function userOfCertificate({ request }: AgentExchange, nowMs: number): UserInfo | 'refused' | undefined {
  const certificate = peerCertificateOf(request);
  if (certificate === undefined) return undefined;
  if (!isTrusted(certificate, nowMs)) return 'refused';
  const { commonName: name, organizations: groups } = certificate;
  return name === '' ? undefined : { name, uid: '', groups, extra: {} };
}
