import type { UserInfo } from '../../apis/kind-rules.ts';
import type { AnyRequest } from '../../net/http/index.ts';

/** Finds the user of a request. Undefined: the credentials that this one knows are absent, or (for a chain) wrong. */
export interface Authenticator {
  authenticate(request: AnyRequest): Promise<UserInfo | undefined> | UserInfo | undefined;
}

/** Finds the user of a bearer token, wherever it came from. Undefined: nobody's, as far as this one knows. */
export interface TokenAuthenticator {
  authenticateToken(token: string): Promise<UserInfo | undefined> | UserInfo | undefined;
}

/** The user of a request without credentials, where anonymous requests are allowed. */
export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

const authenticatedGroup = 'system:authenticated';

/**
 * Asks each authenticator in order. A request without credentials is anonymous when that is allowed; a bearer
 * token that nobody knows is refused, whatever the setting.
 */
export function chainAuthenticators(
  authenticators: readonly Authenticator[],
  options: { readonly allowsAnonymous: boolean },
): Authenticator {
  return {
    async authenticate(request) {
      for (const authenticator of authenticators) {
        const user = await authenticator.authenticate(request);
        if (user !== undefined) return withAuthenticatedGroup(user);
      }
      // Other schemes than bearer tokens are nothing to this server, as in release 1.20.
      const hasCredentials = bearerToken(request) !== undefined;
      return options.allowsAnonymous && !hasCredentials ? anonymousUser : undefined;
    },
  };
}

/**
 * The same for a token that came otherwise than in the header of a request. As there, spaces around it are not part of it,
 * and spaces alone are no credentials.
 */
export function chainTokenAuthenticators(
  authenticators: readonly TokenAuthenticator[],
  options: { readonly allowsAnonymous: boolean },
): TokenAuthenticator {
  return {
    async authenticateToken(text) {
      const token = text.trim();
      if (token === '') return options.allowsAnonymous ? anonymousUser : undefined;
      for (const authenticator of authenticators) {
        const user = await authenticator.authenticateToken(token);
        if (user !== undefined) return withAuthenticatedGroup(user);
      }
      return undefined;
    },
  };
}

/** A user who is known, and therefore in the group of all who are. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  return user.groups.includes(authenticatedGroup)
    ? user
    : { ...user, groups: [...user.groups, authenticatedGroup] };
}

/** The bearer token of a request, if it has one. */
export function bearerToken(request: AnyRequest): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const token = header.slice(7).trim();
  return token === '' ? undefined : token;
}
