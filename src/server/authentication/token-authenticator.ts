import type { UserInfo } from '../../apis/kind-rules.ts';

/**
 * What is known of a bearer token: whose it is and which of the audiences asked for it is meant for; nothing; or why it
 * cannot be believed. Messages never hold a token.
 */
export type TokenVerdict =
  | {
      readonly kind: 'user';
      readonly user: UserInfo;
      readonly audiences: readonly string[];
      /** What the audit log is to say of requests with the token. */
      readonly annotations?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly messages: readonly string[] };

/** Finds the user of a bearer token that is for one of these audiences at least. */
export interface TokenAuthenticator {
  authenticateToken(token: string, audiences: readonly string[]): Promise<TokenVerdict> | TokenVerdict;
}

/** Finds the user of a token that says nothing of audiences. Undefined: it is not known here. */
export interface PlainTokenAuthenticator {
  userOfToken(token: string): UserInfo | undefined;
}

/** The verdict of who knows nothing of a token. */
export const unknownToken: TokenVerdict = { kind: 'unknown' };

/** The verdict on a token that somebody knows and does not believe. */
export const refusedToken = (...messages: readonly string[]): TokenVerdict => ({ kind: 'refused', messages });

/** Asks in order: the first who knows the user decides, also where an earlier one refused. Refusals are kept together. */
export function chainTokenAuthenticators(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    async authenticateToken(token, audiences) {
      const messages: string[] = [];
      for (const authenticator of authenticators) {
        const asked = authenticator.authenticateToken(token, audiences);
        const verdict = asked instanceof Promise ? await asked : asked;
        if (verdict.kind === 'user') return verdict;
        if (verdict.kind === 'refused') messages.push(...verdict.messages);
      }
      return messages.length === 0 ? unknownToken : refusedToken(...messages);
    },
  };
}

/** Tokens that say nothing of audiences are for all of the API itself. */
export function forOwnAudiences(
  { userOfToken }: PlainTokenAuthenticator,
  own: readonly string[],
): TokenAuthenticator {
  return {
    authenticateToken(token, wanted) {
      const audiences = wanted.filter((audience) => own.includes(audience));
      const user = audiences.length === 0 ? undefined : userOfToken(token);
      return user === undefined ? unknownToken : { kind: 'user', user, audiences };
    },
  };
}
