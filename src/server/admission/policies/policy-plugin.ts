/**
 * Validating admission policies: rules in expressions, stored as objects, that say which writes are taken (later releases,
 * `admissionregistration/v1`). Expressions run within a number of steps, so that no policy holds up the server.
 */

import { createSystemSlices, type Slice, takeInSlices } from '../../../base/index.ts';
import { CostExceeded, Meter } from '../../../machinery/cel/index.ts';
import { otherFailure } from '../../../machinery/errors/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { AdmissionAttributes, VersionedResource } from '../../../registry/index.ts';
import type { Authorizer } from '../../authorization/index.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';
import { isPolicyOrConfiguration, matchRequest, ObjectShow } from '../webhooks/index.ts';
import { AccessAnswers, PendingDecision } from './access-answers.ts';
import type { Subject } from './activation.ts';
import { type Decision, evaluatePolicy, type PolicyVerdict } from './evaluate-policy.ts';
import { BindingError, findParams, type ParamSources } from './params.ts';
import {
  type Binding,
  type BoundPolicy,
  createPolicySet,
  isNamed,
  type PolicyMatcher,
  type PolicySet,
} from './policy-set.ts';

/** As later releases call it. */
export const policyPluginName = 'ValidatingAdmissionPolicy';

/** What policies are looked up and asked with. */
export interface PolicySources extends ParamSources {
  /** Decides for expressions that ask what users may do. */
  readonly authorizer: Authorizer;
}

/** Steps of all expressions about one request. */
const requestBudget = 500_000;

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

/** One decision, and whose it is. `binding` is empty where none was found right. */
interface Bound {
  readonly policy: string;
  readonly binding: string;
  readonly actions: readonly string[];
  readonly decision: Decision;
}

/** What is gathered about one request. */
interface Outcome {
  readonly denied: Bound[];
  readonly audited: Bound[];
  /** Values by `POLICY/KEY`; several bindings may give some. */
  readonly annotations: Map<string, Set<string>>;
}

/** Asks the bound policies about each write that their rules name. */
export function createPolicyPlugin(sources: PolicySources): AdmissionPlugin {
  const slices = createSystemSlices();
  const policies: PolicySet = createPolicySet(sources.read, sources.dialect, slices);
  const concerns = (attributes: AdmissionAttributes): boolean =>
    !isPolicyOrConfiguration(attributes) && policies.concerns(attributes);
  return {
    name: policyPluginName,
    handles: () => true,
    validate(attributes) {
      if (concerns(attributes))
        return new Dispatch(sources, attributes, slices.begin(1)).run(policies.current());
    },
    asksOthers: concerns,
  };
}

/** One request before all policies. */
class Dispatch {
  readonly #sources: PolicySources;
  readonly #attributes: AdmissionAttributes;
  /** Other requests go first between expressions. */
  readonly #slice: Slice;
  readonly #show: ObjectShow;
  readonly #answers: AccessAnswers;
  readonly #meter = new Meter(requestBudget);
  readonly #outcome: Outcome = { denied: [], audited: [], annotations: new Map() };

  constructor(sources: PolicySources, attributes: AdmissionAttributes, slice: Slice) {
    this.#sources = sources;
    this.#slice = slice;
    this.#attributes = attributes;
    this.#show = new ObjectShow(attributes);
    this.#answers = new AccessAnswers(sources.authorizer, attributes.user);
  }

  /** @throws StatusError when a policy refuses. */
  async run(policies: readonly BoundPolicy[]): Promise<void> {
    for (const policy of policies) {
      const matched = await this.#match(policy.matches);
      if (matched === undefined) continue;
      for (const binding of policy.bindings) {
        if (binding.matches !== undefined && (await this.#match(binding.matches)) === undefined) continue;
        await this.#ask(policy, binding, matched);
      }
    }
    this.#tellAudit();
    const [first] = this.#outcome.denied;
    if (first !== undefined) throw this.#refusal(first);
  }

  async #match(matcher: PolicyMatcher): Promise<VersionedResource | undefined> {
    if (!isNamed(matcher, this.#attributes)) return undefined;
    return await matchRequest(matcher, this.#attributes, this.#sources.read);
  }

  async #ask(bound: BoundPolicy, binding: Binding, matched: VersionedResource): Promise<void> {
    const { spec } = bound.policy;
    try {
      const found = await findParams(
        spec.paramKind,
        binding.binding.spec.paramRef,
        this.#attributes,
        this.#sources,
      );
      const shown = await this.#show.as(matched.kind);
      const namespace = await this.#namespace();
      const { dialect } = this.#sources;
      for (const params of found) {
        const { ask } = this.#answers;
        const subject = { attributes: this.#attributes, dialect, matched, shown, namespace, params, ask };
        const { decisions, annotations } = await this.#evaluate(bound, subject);
        for (const decision of decisions) this.#note(bound, binding, decision);
        for (const [key, value] of annotations) this.#annotate(`${bound.name}/${key}`, value);
      }
    } catch (error) {
      if (!(error instanceof BindingError) && !(error instanceof CostExceeded)) throw error;
      if (spec.failurePolicy === 'Ignore') return;
      const message = `failed to configure binding: ${error.message}`;
      const decision = { message, reason: 'Invalid', index: undefined, isFailure: true };
      // Refused whatever the binding does with what can be looked at.
      this.#outcome.denied.push({ policy: bound.name, binding: binding.name, actions: ['Deny'], decision });
    }
  }

  /** What waits for decisions is evaluated again when they are there, as if they had been known. */
  async #evaluate(bound: BoundPolicy, subject: Subject): Promise<PolicyVerdict> {
    const before = this.#meter.budget;
    const policy = await bound.compiled();
    for (;;) {
      try {
        return await takeInSlices(evaluatePolicy(policy, subject, this.#meter), this.#slice);
      } catch (error) {
        if (!(error instanceof PendingDecision)) throw error;
        await error.settled;
        this.#meter.restore(before);
      }
    }
  }

  async #namespace(): Promise<ApiObject | undefined> {
    const { namespace } = this.#attributes;
    return namespace === '' ? undefined : await this.#sources.read.currentNamespace(namespace);
  }

  #note(
    { name: policy, policy: { spec } }: BoundPolicy,
    { name: binding, binding: { spec: bound } }: Binding,
    decision: Decision,
  ): void {
    if (decision.isFailure && spec.failurePolicy === 'Ignore') return;
    const actions = bound.validationActions ?? [];
    const told = { policy, binding, actions, decision };
    if (actions.includes('Deny')) this.#outcome.denied.push(told);
    if (actions.includes('Audit')) this.#outcome.audited.push(told);
    if (!actions.includes('Warn')) return;
    this.#attributes.request?.warn(
      `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${decision.message}`,
    );
  }

  #annotate(key: string, value: string): void {
    const { annotations } = this.#outcome;
    annotations.set(key, (annotations.get(key) ?? new Set()).add(value));
  }

  #tellAudit(): void {
    const { request } = this.#attributes;
    const { annotations, audited } = this.#outcome;
    for (const [key, values] of annotations) request?.annotate(key, [...values].join(', '), 'Metadata');
    if (audited.length === 0) return;
    const entries = audited.map(({ decision, policy, binding, actions }) => ({
      message: decision.message,
      policy,
      binding,
      expressionIndex: decision.index ?? 0,
      validationActions: actions,
    }));
    const key = this.#sources.dialect.domain('validation.policy.admission', 'validation_failure');
    request?.annotate(key, JSON.stringify(entries), 'Metadata');
  }

  #refusal({ policy, binding, decision }: Bound) {
    const { message, reason } = decision;
    const text = `ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${message}`;
    const { status } = refuse(this.#attributes, text);
    return otherFailure(codes[reason] ?? 422, reason, status.message ?? text, {
      ...status.details,
      causes: [{ message: text }],
    });
  }
}
