import type { UserInfo } from '../../../apis/kind-rules.ts';
import type { AccessDecision, AccessQuestion } from '../../../machinery/cel/index.ts';
import { serviceAccountUser } from '../../authentication/index.ts';
import type { Authorizer, Decision } from '../../authorization/index.ts';

/** An expression asks for a decision that must be waited for: it is evaluated again once there is one. */
export class PendingDecision extends Error {
  override readonly name = 'PendingDecision';
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>) {
    super('a decision is waited for');
    this.settled = settled;
  }
}

/** Decisions of the authorizer about one request's user, each asked for once. */
export class AccessAnswers {
  readonly #authorizer: Authorizer;
  readonly #user: UserInfo;
  readonly #known = new Map<string, AccessDecision>();

  constructor(authorizer: Authorizer, user: UserInfo) {
    this.#authorizer = authorizer;
    this.#user = user;
  }

  /** @throws PendingDecision */
  readonly ask = (question: AccessQuestion): AccessDecision => {
    const key = JSON.stringify(question);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const keep = (decision: AccessDecision): AccessDecision => {
      this.#known.set(key, decision);
      return decision;
    };
    const answer = this.#authorizer.authorize(this.#questionOf(question));
    if (!(answer instanceof Promise)) return keep(decisionOf(answer));
    throw new PendingDecision(answer.then((decision) => void keep(decisionOf(decision))));
  };

  #questionOf({ account, path, ...asked }: AccessQuestion): Parameters<Authorizer['authorize']>[0] {
    const user = account === undefined ? this.#user : accountUser(account.namespace, account.name);
    return { user, request: { ...asked, path, isResource: path === '', version: path === '' ? '*' : '' } };
  }
}

/** Of the groups of a service account, only its own, as in later releases. */
function accountUser(namespace: string, name: string): UserInfo {
  const { name: userName } = serviceAccountUser(namespace, name);
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name: userName, uid: '', groups, extra: {} };
}

const decisionOf = ({ isAllowed, reason, error = '' }: Decision): AccessDecision => ({
  isAllowed,
  reason,
  error: isAllowed ? '' : error,
});
