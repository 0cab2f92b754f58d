import { hash, randomBytes } from 'node:crypto';
import { ExpiringCache } from '../../base/index.ts';
import type { TokenAuthenticator, TokenVerdict } from './token-authenticator.ts';

/** How long verdicts on tokens count. */
export interface TokenCacheOptions {
  /** For a token whose user is known. */
  readonly userTtlMs: number;
  /** For a token that is not known. Failures are never kept. */
  readonly unknownTtlMs: number;
  readonly nowMs: () => number;
}

/** About 1 kB each. */
const maxEntries = 8192;

/**
 * Keeps verdicts for a while, and asks once for those who want to know the same at the same time. Memory holds no token,
 * only digests that nobody else can make.
 */
export function cacheTokens(asked: TokenAuthenticator, options: TokenCacheOptions): TokenAuthenticator {
  const { userTtlMs, unknownTtlMs, nowMs } = options;
  const verdicts = new ExpiringCache<TokenVerdict>({ maxEntries, nowMs });
  const underWay = new Map<string, Promise<TokenVerdict>>();
  const salt = randomBytes(16).toString('base64');
  const ask = async (key: string, token: string, audiences: readonly string[]): Promise<TokenVerdict> => {
    try {
      const verdict = await asked.authenticateToken(token, audiences);
      if (verdict.kind !== 'refused') {
        verdicts.set(key, verdict, verdict.kind === 'user' ? userTtlMs : unknownTtlMs);
      }
      return verdict;
    } finally {
      underWay.delete(key);
    }
  };
  return {
    authenticateToken(token, audiences) {
      const key = hash('sha256', JSON.stringify([salt, audiences, token]), 'base64');
      const known = verdicts.get(key) ?? underWay.get(key);
      if (known !== undefined) return known;
      const answer = ask(key, token, audiences);
      underWay.set(key, answer);
      return answer;
    },
  };
}
