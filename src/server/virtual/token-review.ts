import type { UserInfo } from '../../apis/kind-rules.ts';
import type { TokenReview, TokenReviewStatus } from '../../apis/types/authentication-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import {
  type ServiceAccountVerifier,
  type TokenAuthenticator,
  withAuthenticatedGroup,
} from '../authentication/index.ts';
import { readReview, type VirtualHandler, writeReview } from './review.ts';

/** Who knows tokens. */
export interface TokenReviewOptions {
  /** Knows the tokens that are no service account's. */
  readonly tokenAuthenticator: TokenAuthenticator;
  /** Verifies service account tokens for any audience, and says what is wrong with them. */
  readonly serviceAccounts?: ServiceAccountVerifier | undefined;
  /** Audiences of the API itself, which all other tokens are meant for. */
  readonly audiences: readonly string[];
}

/** POST to `tokenreviews`: whose token is this? */
export function tokenReviewHandler(options: TokenReviewOptions): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<TokenReview>(exchange, endpoint);
    const { token = '', audiences = [] } = review.spec;
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const status = await judge(token, audiences.length > 0 ? audiences : options.audiences, options);
    writeReview(exchange, endpoint, { ...review, status });
  };
}

const invalidToken = 'invalid bearer token';

async function judge(
  token: string,
  audiences: readonly string[],
  options: TokenReviewOptions,
): Promise<TokenReviewStatus> {
  const verdict = await options.serviceAccounts?.verify(token, audiences);
  if (verdict?.kind === 'user') return accepted(withAuthenticatedGroup(verdict.user), verdict.audiences);
  if (verdict?.kind === 'refused') return { user: {}, error: `[${invalidToken}, ${verdict.message}]` };
  const shared = options.audiences.filter((audience) => audiences.includes(audience));
  if (shared.length === 0 && options.audiences.length > 0) return { user: {}, error: invalidToken };
  const user = await options.tokenAuthenticator.authenticateToken(token);
  return user === undefined ? { user: {}, error: invalidToken } : accepted(user, shared);
}

function accepted(user: UserInfo, audiences: readonly string[]): TokenReviewStatus {
  const { name: username, uid, groups, extra } = user;
  const extraLists = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    authenticated: true,
    user: { username, uid, groups: [...groups], extra: Object.fromEntries(extraLists) },
    audiences: [...audiences],
  };
}
