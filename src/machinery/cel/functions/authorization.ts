import { isDns1123Label, isDns1123Subdomain } from '../../formats/index.ts';
import type { Meter } from '../meter.ts';
import { Failure, Opaque, type Value } from '../values.ts';
import type { Implementation } from './standard.ts';

/** A permission that an expression asks about; empty fields are left out. */
export interface AccessQuestion {
  /** The service account that is asked about; undefined for whoever makes the request. */
  readonly account: { readonly namespace: string; readonly name: string } | undefined;
  readonly verb: string;
  /** Of a request for no resource; all fields below are empty then. */
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** What an authorizer says of a permission. */
export interface AccessDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** What kept it from deciding; empty when nothing did. */
  readonly error: string;
}

/** Answers at once. What it throws ends the expression. */
export type AskAccess = (question: AccessQuestion) => AccessDecision;

/** Of the steps that an expression may take there are enough for two checks, as in later releases (`pkg/cel/library/cost.go`). */
const stepsOfCheck = 17_500;

const noResource = { path: '', group: '', resource: '', subresource: '', namespace: '', name: '' };

/** The variable `authorizer` of an expression, and what is asked of it. Source: apiserver, `pkg/cel/library/authz.go`. */
export class AuthorizerValue extends Opaque {
  override readonly typeName = 'authorization.Authorizer';
  readonly ask: AskAccess;
  readonly account: AccessQuestion['account'];

  constructor(ask: AskAccess, account: AccessQuestion['account']) {
    super();
    this.ask = ask;
    this.account = account;
  }

  override equals(other: Opaque): boolean {
    return other === this;
  }

  /** A check of what is asked about, before there is a verb. */
  about(part: Partial<AccessQuestion>, typeName: CheckName): CheckValue {
    return new CheckValue(this.ask, { verb: '', account: this.account, ...noResource, ...part }, typeName);
  }
}

type CheckName = 'authorization.PathCheck' | 'authorization.GroupCheck' | 'authorization.ResourceCheck';

/** A question that is being put together. */
class CheckValue extends Opaque {
  override readonly typeName: CheckName;
  readonly ask: AskAccess;
  readonly question: AccessQuestion;

  constructor(ask: AskAccess, question: AccessQuestion, typeName: CheckName) {
    super();
    this.ask = ask;
    this.question = question;
    this.typeName = typeName;
  }

  override equals(other: Opaque): boolean {
    return other === this;
  }

  with(part: Partial<AccessQuestion>): CheckValue {
    return new CheckValue(this.ask, { ...this.question, ...part }, 'authorization.ResourceCheck');
  }
}

class DecisionValue extends Opaque {
  override readonly typeName = 'authorization.Decision';
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }

  override equals(other: Opaque): boolean {
    return other === this;
  }
}

function ofAuthorizer(run: (authorizer: AuthorizerValue, text: string, other: Value) => Value | Failure) {
  const member: Implementation = ([on, text, other = null]) =>
    on instanceof AuthorizerValue && typeof text === 'string' ? run(on, text, other) : undefined;
  return member;
}

function ofCheck(wanted: CheckName, run: (check: CheckValue, text: string) => Value): Implementation {
  return ([on, text]) =>
    on instanceof CheckValue && on.typeName === wanted && typeof text === 'string'
      ? run(on, text)
      : undefined;
}

const ofDecision =
  (run: (decision: AccessDecision) => Value): Implementation =>
  ([on]) =>
    on instanceof DecisionValue ? run(on.decision) : undefined;

function accountOf(authorizer: AuthorizerValue, namespace: string, name: Value): Value | Failure {
  if (typeof name !== 'string') return new Failure('no such overload');
  if (isDns1123Subdomain(name).length > 0) return new Failure('Invalid service account name');
  if (isDns1123Label(namespace).length > 0) return new Failure('Invalid service account namespace');
  return new AuthorizerValue(authorizer.ask, { namespace, name });
}

function check([on, verb]: readonly Value[], meter: Meter): Value | undefined {
  if (!(on instanceof CheckValue) || on.typeName === 'authorization.GroupCheck') return undefined;
  if (typeof verb !== 'string') return undefined;
  meter.charge(stepsOfCheck);
  return new DecisionValue(on.ask({ ...on.question, verb }));
}

/** Members of the authorizer and of what it makes. */
export const authorizationMembers: Readonly<Record<string, Implementation>> = {
  path: ofAuthorizer((authorizer, path) =>
    path === ''
      ? new Failure('path must not be empty')
      : authorizer.about({ path }, 'authorization.PathCheck'),
  ),
  group: ofAuthorizer((authorizer, group) => authorizer.about({ group }, 'authorization.GroupCheck')),
  serviceAccount: ofAuthorizer(accountOf),
  resource: ofCheck('authorization.GroupCheck', (asked, resource) => asked.with({ resource })),
  subresource: ofCheck('authorization.ResourceCheck', (asked, subresource) => asked.with({ subresource })),
  namespace: ofCheck('authorization.ResourceCheck', (asked, namespace) => asked.with({ namespace })),
  name: ofCheck('authorization.ResourceCheck', (asked, name) => asked.with({ name })),
  check,
  allowed: ofDecision(({ isAllowed }) => isAllowed),
  reason: ofDecision(({ reason }) => reason),
  errored: ofDecision(({ error }) => error !== ''),
  error: ofDecision(({ error }) => error),
};
