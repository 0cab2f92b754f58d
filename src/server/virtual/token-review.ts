import type { UserInfo } from '../../apis/kind-rules.ts';
import type { TokenReview, TokenReviewStatus } from '../../apis/types/authentication-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import { bearerToken } from '../../net/http/index.ts';
import { anonymousUser, type TokenAuthenticator, withAuthenticatedGroup } from '../authentication/index.ts';
import { readReview, type VirtualHandler, writeReview } from './review.ts';

/** Who knows tokens. */
export interface TokenReviewOptions {
  readonly tokenAuthenticator: TokenAuthenticator;
  /** Audiences of the API itself, for reviews that name none. */
  readonly audiences: readonly string[];
  /** Whether requests without credentials are somebody's: what says nothing is then no wrong token. */
  readonly allowsAnonymous: boolean;
}

/** POST to `tokenreviews`: whose token is this? */
export function tokenReviewHandler(options: TokenReviewOptions): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<TokenReview>(exchange, endpoint);
    const { token = '', audiences = [] } = review.spec;
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const status = await judge(token, audiences.length > 0 ? audiences : options.audiences, options);
    // What the verdict does not speak of stays as it was sent.
    writeReview(exchange, endpoint, { ...review, status: { ...review.status, ...status } });
  };
}

const invalidToken = 'invalid bearer token';

async function judge(
  text: string,
  audiences: readonly string[],
  { tokenAuthenticator, allowsAnonymous }: TokenReviewOptions,
): Promise<Partial<TokenReviewStatus>> {
  // Read as if it stood in the header of a request.
  const token = bearerToken({ headers: { authorization: `Bearer ${text}` } });
  if (token === undefined)
    return allowsAnonymous ? accepted(anonymousUser, audiences) : { authenticated: false };
  const verdict = await tokenAuthenticator.authenticateToken(token, audiences);
  if (verdict.kind === 'user') return accepted(withAuthenticatedGroup(verdict.user), verdict.audiences);
  const messages = new Set([invalidToken, ...(verdict.kind === 'refused' ? verdict.messages : [])]);
  const error = messages.size === 1 ? invalidToken : `[${[...messages].join(', ')}]`;
  return { authenticated: false, error };
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
