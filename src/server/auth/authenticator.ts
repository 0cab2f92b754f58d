import type { UserInfo } from '../../apis/kind-rules.ts';
import { type AnyRequest, bearerToken } from '../../net/http/index.ts';

/** The user of a request. Undefined: there are no credentials of this kind; refused: they are there and prove nothing. */
export type Authentication = UserInfo | 'refused' | undefined;

/** Finds the user of a request. */
export interface Authenticator {
  authenticate(request: AnyRequest): Promise<Authentication> | Authentication;
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

/** The same where nothing is refused, or nobody else is asked. Undefined: there is no user. */
export interface RequestAuthenticator {
  authenticate(request: AnyRequest): Promise<UserInfo | undefined> | UserInfo | undefined;
}

/**
 * Asks each authenticator in order: the first that knows the user decides, also where an earlier one refused. A request
 * without credentials is anonymous when that is allowed; one whose credentials are all refused, or whose bearer token
 * nobody knows, has no user, whatever the setting.
 */
export function chainAuthenticators(
  authenticators: readonly Authenticator[],
  options: { readonly allowsAnonymous: boolean },
): RequestAuthenticator {
  return {
    async authenticate(request) {
      // Other schemes than bearer tokens are ignored, as in release 1.20.
      let isRefused = bearerToken(request) !== undefined;
      for (const authenticator of authenticators) {
        const user = await authenticator.authenticate(request);
        if (user === 'refused') isRefused = true;
        else if (user !== undefined) return withAuthenticatedGroup(user);
      }
      return options.allowsAnonymous && !isRefused ? anonymousUser : undefined;
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
