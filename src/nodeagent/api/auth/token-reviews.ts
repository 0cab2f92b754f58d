import { createHash } from 'node:crypto';
import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { TokenReview } from '../../../apis/types/authentication-v1.ts';
import { type RestClient, resourcePath } from '../../../client/rest/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { askPatiently, type Patience } from './ask-patiently.ts';
import { ExpiringCache } from './expiring-cache.ts';

/** Tells whose a bearer token is. */
export interface TokenReviews {
  /** Undefined for a token that is not valid. @throws when the API server gives no verdict */
  review(token: string): Promise<UserInfo | undefined>;
}

/** The API server that reviews tokens, and how long its answers are cached. */
export interface TokenReviewsOptions extends Patience {
  readonly client: RestClient;
  readonly dialect: Dialect;
  /** How long a verdict holds. */
  readonly ttlMs: number;
}

const maxCachedTokens = 4096;

/** TokenReviews at the API server, with cached answers, positive and negative. Tokens are kept as hashes only. */
export function createTokenReviews(options: TokenReviewsOptions): TokenReviews {
  const { client, dialect, ttlMs } = options;
  const cache = new ExpiringCache<UserInfo | undefined>(options.clock, maxCachedTokens);
  const group = dialect.group('authentication');
  const path = resourcePath({ group, version: 'v1', resource: 'tokenreviews' });
  const ask = async (token: string): Promise<UserInfo | undefined> => {
    const body = { kind: 'TokenReview', apiVersion: `${group}/v1`, metadata: {}, spec: { token } };
    return readVerdict(
      await client.json<TokenReview>({ method: 'POST', path, body, signal: options.signal }),
    );
  };
  return {
    review(token) {
      const key = createHash('sha256').update(token).digest('base64');
      return cache.get(
        key,
        () => askPatiently(() => ask(token), options),
        () => ttlMs,
      );
    },
  };
}

/** @throws Error when the reviewer could not tell */
function readVerdict({ status }: TokenReview): UserInfo | undefined {
  if (status?.authenticated !== true) {
    if (status?.error) throw new Error(`token review: ${status.error}`);
    return undefined;
  }
  const { username = '', uid = '', groups = [], extra = {} } = status.user ?? {};
  return { name: username, uid, groups, extra };
}
