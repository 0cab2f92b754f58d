import type { UserInfo } from '../../apis/kind-rules.ts';
import type { AnyRequest } from '../../net/http/index.ts';

/** Finds the user of a request. Undefined: there are no credentials of its kind, or (for a chain) wrong. */
export interface Authenticator {
  authenticate(request: AnyRequest): Promise<UserInfo | undefined> | UserInfo | undefined;
}

/** Finds the user of a bearer token, wherever it came from. Undefined: the token is unknown to this authenticator. */
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
      // Other schemes than bearer tokens are ignored, as in release 1.20.
      const hasCredentials = bearerToken(request) !== undefined;
      return options.allowsAnonymous && !hasCredentials ? anonymousUser : undefined;
    },
  };
}

/**
 * The same for a token from elsewhere than the request's header. As there, surrounding spaces are removed, and spaces
 * alone count as no credentials.
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

/** The user with `system:authenticated` among the groups. */
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
