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
  /** Whoever waits for the decision; the signal aborts when nobody does any more. */
  readonly asker?: { readonly signal: AbortSignal } | undefined;
}

/** What an authorizer says. One that does not allow leaves it to the next, unless it denies. */
export interface Decision {
  readonly isAllowed: boolean;
  /** Nobody else is asked. Never together with `isAllowed`. */
  readonly isDenied?: boolean | undefined;
  /** Shown to the client when not empty. */
  readonly reason: string;
  /** What kept the authorizer from deciding: the text that clients get. */
  readonly error?: string | undefined;
}

/** Decides whether a user may do what a request asks for. */
export interface Authorizer {
  authorize(question: AuthorizationQuestion): Decision | Promise<Decision>;
}

/** Decision of whoever allows without a reason. */
export const allowed: Decision = { isAllowed: true, reason: '' };

/** Decision of whoever leaves it to others. */
export const noOpinion: Decision = { isAllowed: false, reason: '' };

/** Mode `AlwaysAllow` of `--authorization-mode`: every request is allowed. */
export const alwaysAllow: Authorizer = { authorize: () => allowed };

/** Mode `AlwaysDeny` of `--authorization-mode`: nothing is allowed; modes behind it are asked all the same. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ isAllowed: false, reason: 'Everything is forbidden.' }),
};

/** Members of `system:masters` may do everything, before any other authorizer is asked. */
export const privilegedGroup: Authorizer = {
  authorize: ({ user }) => (user.groups.includes('system:masters') ? allowed : noOpinion),
};

/**
 * The first authorizer that allows or denies decides. When none does, the reasons and failures of all are told
 * (apiserver, `pkg/authorization/union`).
 */
export function chainAuthorizers(authorizers: readonly Authorizer[]): Authorizer {
  return { authorize: (question) => askFrom(authorizers, question, { start: 0, last: noOpinion }) };
}

/** Asks in order. Nothing is awaited as long as no authorizer has to wait, as every request passes here. */
function askFrom(
  authorizers: readonly Authorizer[],
  question: AuthorizationQuestion,
  { start, last }: { readonly start: number; readonly last: Decision },
): Decision | Promise<Decision> {
  let decision = last;
  for (let at = start; at < authorizers.length; at++) {
    const answer = authorizers[at]?.authorize(question) ?? noOpinion;
    if (answer instanceof Promise) {
      const before = decision;
      return answer.then((late) => {
        if (isFinal(late)) return late;
        return askFrom(authorizers, question, { start: at + 1, last: join(before, late) });
      });
    }
    if (isFinal(answer)) return answer;
    decision = join(decision, answer);
  }
  return decision;
}

const isFinal = ({ isAllowed, isDenied }: Decision): boolean => isAllowed || isDenied === true;

/** Two of those who leave it to others. */
function join(first: Decision, second: Decision): Decision {
  if (second.reason === '' && second.error === undefined) return first;
  if (first.reason === '' && first.error === undefined) return second;
  const reasons = [first.reason, second.reason].filter((reason) => reason !== '');
  const errors = [first.error, second.error].filter((error) => error !== undefined);
  return {
    isAllowed: false,
    reason: reasons.join('\n'),
    ...(errors.length === 0 ? {} : { error: joinProblems(errors) }),
  };
}

/**
 * The authorizer of `--authorization-mode`: those of the modes in their order, behind the privileged group.
 *
 * @throws RangeError for a mode that `byMode` does not have.
 */
export function authorizersFor(
  modes: readonly string[],
  byMode: Readonly<Record<string, Authorizer | undefined>>,
): Authorizer {
  const known: typeof byMode = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny, ...byMode };
  const authorizers = modes.map((mode) => {
    const authorizer = known[mode];
    if (authorizer === undefined) throw new RangeError(`there is no authorizer for mode ${mode}`);
    return authorizer;
  });
  return chainAuthorizers([privilegedGroup, ...authorizers]);
}

/** Several errors as one text, each once (apimachinery, `NewAggregate`). */
export function joinProblems(problems: readonly string[]): string {
  const different = [...new Set(problems)];
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
}
