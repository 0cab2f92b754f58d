import type { UserInfo } from '../../apis/kind-rules.ts';
import { type AnyRequest, bearerToken } from '../../net/http/index.ts';
import type { AuditNotes } from '../request/exchange.ts';

/** The user of a request. Undefined: there are no credentials of this kind; refused: they are there and prove nothing. */
export type Authentication = UserInfo | 'refused' | undefined;

/** Where authenticators say what the audit log is to hold of a request. */
export type AuthenticationNotes = Pick<AuditNotes, 'noteAnnotation'>;

/** Finds the user of a request. */
export interface Authenticator {
  authenticate(request: AnyRequest, notes?: AuthenticationNotes): Promise<Authentication> | Authentication;
}

const unauthenticatedGroup = 'system:unauthenticated';

/** The user of a request without credentials, where anonymous requests are allowed. */
export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: [unauthenticatedGroup],
  extra: {},
};

const authenticatedGroup = 'system:authenticated';

/** The same where nothing is refused, or nobody else is asked. Undefined: there is no user. */
export interface RequestAuthenticator {
  authenticate(
    request: AnyRequest,
    notes?: AuthenticationNotes,
  ): Promise<UserInfo | undefined> | UserInfo | undefined;
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
    authenticate: (request, notes) => askFrom({ start: 0, isRefused: false, notes }, request),
  };

  /** Nothing is awaited as long as no authenticator has to wait, as every request passes here. */
  function askFrom(asked: Asked, request: AnyRequest): Promise<UserInfo | undefined> | UserInfo | undefined {
    const { notes } = asked;
    let { isRefused } = asked;
    for (let at = asked.start; at < authenticators.length; at++) {
      const found = authenticators[at]?.authenticate(request, notes);
      if (found instanceof Promise) {
        const start = at + 1;
        const isRefusedBefore = isRefused;
        return found.then((late) =>
          late === undefined || late === 'refused'
            ? askFrom({ start, isRefused: isRefusedBefore || late === 'refused', notes }, request)
            : withAuthenticatedGroup(late),
        );
      }
      if (found === 'refused') isRefused = true;
      else if (found !== undefined) return withAuthenticatedGroup(found);
    }
    // Other schemes than bearer tokens are ignored, as in release 1.20.
    const isAnonymous = options.allowsAnonymous && !isRefused && bearerToken(request) === undefined;
    return isAnonymous ? anonymousUser : undefined;
  }
}

/** How far a chain has come: who is asked next, and whether somebody refused credentials. */
interface Asked {
  readonly start: number;
  readonly isRefused: boolean;
  readonly notes: AuthenticationNotes | undefined;
}

/** By the user that was found: the same caller stays one object, which others remember things by. */
const withGroup = new WeakMap<UserInfo, UserInfo>();

/**
 * The user with `system:authenticated` among the groups, unless a proxy says that it is nobody; the same object for the same
 * user object.
 */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const { name, groups } = user;
  if (name === anonymousUser.name || groups.includes(unauthenticatedGroup)) return user;
  if (groups.includes(authenticatedGroup)) return user;
  let member = withGroup.get(user);
  if (member === undefined) {
    member = { ...user, groups: [...groups, authenticatedGroup] };
    withGroup.set(user, member);
  }
  return member;
}
