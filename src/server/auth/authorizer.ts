import type { UserInfo } from '../../apis/kind-rules.ts';
import type { RequestInfo } from '../request/request-info.ts';

/**
 * A user and the request whose permission is asked. When `isResource` is false, `verb` and `path` describe
 * the request.
 */
export interface AuthorizationQuestion {
  readonly user: UserInfo;
  readonly request: Pick<
    RequestInfo,
    'isResource' | 'verb' | 'group' | 'version' | 'namespace' | 'resource' | 'subresource' | 'name' | 'path'
  >;
}

/** `reason` is shown to the client when not empty. */
export interface Decision {
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** Decides whether a user may do what a request asks for. */
export interface Authorizer {
  authorize(question: AuthorizationQuestion): Decision | Promise<Decision>;
}

const allowed: Decision = { isAllowed: true, reason: '' };
const refused: Decision = { isAllowed: false, reason: '' };

/** Mode `AlwaysAllow` of `--authorization-mode`: every request is allowed. */
export const alwaysAllow: Authorizer = { authorize: () => allowed };

/** Mode `AlwaysDeny` of `--authorization-mode`: every request is refused with the same reason. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ isAllowed: false, reason: 'Everything is forbidden.' }),
};

/** Members of `system:masters` may do everything, before any other authorizer is asked. */
export const privilegedGroup: Authorizer = {
  authorize: ({ user }) => (user.groups.includes('system:masters') ? allowed : refused),
};

/** The first authorizer that allows decides; the last refusal's reason is shown. */
export function chainAuthorizers(authorizers: readonly Authorizer[]): Authorizer {
  return { authorize: (question) => askFrom(authorizers, question, { start: 0, last: refused }) };
}

/** Asks in order. Nothing is awaited as long as no authorizer has to wait, as every request passes here. */
function askFrom(
  authorizers: readonly Authorizer[],
  question: AuthorizationQuestion,
  { start, last }: { readonly start: number; readonly last: Decision },
): Decision | Promise<Decision> {
  let decision = last;
  for (let at = start; at < authorizers.length && !decision.isAllowed; at++) {
    const answer = authorizers[at]?.authorize(question) ?? refused;
    if (answer instanceof Promise) {
      return answer.then((late) => askFrom(authorizers, question, { start: at + 1, last: late }));
    }
    decision = answer;
  }
  return decision;
}

/** Authorizers of `--authorization-mode`, whose mode `RBAC` is `rbac`. Mode `Node` grants nothing so far. */
export function authorizersFor(modes: readonly string[], rbac: Authorizer): Authorizer {
  const byMode: Readonly<Record<string, Authorizer>> = {
    AlwaysAllow: alwaysAllow,
    AlwaysDeny: alwaysDeny,
    RBAC: rbac,
  };
  const authorizers = modes.flatMap((mode) => byMode[mode] ?? []);
  return chainAuthorizers([privilegedGroup, ...authorizers]);
}
