import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { Logger } from '../../../base/index.ts';
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
  readonly logger: Logger;
}

/**
 * Authenticates by client certificate, then by bearer token. Wrong credentials are refused, even where anonymous
 * requests are allowed.
 *
 * @throws Error when the options allow no way to authenticate
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { hasClientAuthority, tokens, allowsAnonymous, logger } = options;
  if (!hasClientAuthority && tokens === undefined && !allowsAnonymous) {
    throw new Error('No authentication method configured');
  }
  return async (exchange) => {
    let isRefused = false;
    if (hasClientAuthority) {
      const user = userOfCertificate(exchange);
      if (user !== undefined && user !== 'refused') return authenticatedUser(user);
      isRefused = user === 'refused';
    }
    const token = tokens === undefined ? undefined : bearerToken(exchange);
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

/** RFC 6750, section 2.1. */
function bearerToken({ request }: AgentExchange): string | undefined {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/**
 * User of a client certificate: the common name, its groups the organizations. `refused` for one that no authority of
 * ours has signed; undefined when there is none.
 */
function userOfCertificate({ request }: AgentExchange): UserInfo | 'refused' | undefined {
  const socket = request.socket as TLSSocket; // only the secure server asks
  const { subject } = socket.getPeerCertificate?.() ?? {};
  if (subject === undefined) return undefined;
  if (!socket.authorized) return 'refused';
  // Names that occur more than once come as a list.
  const { CN, O } = subject as { readonly CN?: Values; readonly O?: Values };
  const [name = ''] = listOf(CN);
  return name === '' ? 'refused' : { name, uid: '', groups: listOf(O), extra: {} };
}

type Values = string | readonly string[];

function listOf(values: Values | undefined): readonly string[] {
  if (values === undefined) return [];
  return typeof values === 'string' ? [values] : values;
}
