import type {
  CompiledPolicy,
  PolicyExpression,
  ValidationExpression,
} from '../../../apis/admissionregistration/index.ts';
import type { Steps } from '../../../base/index.ts';
import { CostExceeded, Failure, type Meter, type Value } from '../../../machinery/cel/index.ts';
import { Activation, type Subject } from './activation.ts';

/** A validation that did not hold, or could not be looked at. */
export interface Decision {
  readonly message: string;
  /** Of the refusal. */
  readonly reason: string;
  /** Which validation it was; undefined where it was none. */
  readonly index: number | undefined;
  /** Something could not be evaluated: the failure policy says what follows. */
  readonly isFailure: boolean;
}

/** What a policy says of a request. */
export interface PolicyVerdict {
  readonly decisions: readonly Decision[];
  /** Values for the audit log, by key. */
  readonly annotations: ReadonlyMap<string, string>;
}

const maxMessageLength = 5 * 1024;
const maxAnnotationLength = 10 * 1024;

/** Nothing is left for more rules. Source: apiserver, `pkg/admission/plugin/policy/validating`. */
const spent = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Runs the expressions of a policy, one in each step. What it throws is no failure of theirs. */
export function* evaluatePolicy(
  policy: CompiledPolicy,
  subject: Subject,
  meter: Meter,
): Steps<PolicyVerdict> {
  const { lookUp } = new Activation(subject, policy.variables, meter);
  const run = (expression: PolicyExpression): Value | Failure => evaluate(expression, lookUp, meter);
  const annotations = new Map<string, string>();
  const unmet = yield* checkConditions(policy, run);
  if (unmet !== undefined) return { decisions: unmet, annotations };
  const decisions: Decision[] = [];
  for (const [index, validation] of policy.validations.entries()) {
    const decision = decide(validation, index, run);
    yield;
    if (decision !== undefined) decisions.push(decision);
    if (meter.isSpent) return { decisions: [...decisions, failure(spent, index)], annotations };
  }
  for (const annotation of policy.auditAnnotations) {
    const value = run(annotation);
    yield;
    if (typeof value === 'string') {
      if (value.trim() !== '') annotations.set(annotation.name, value.trim().slice(0, maxAnnotationLength));
    } else if (value !== null) {
      const text =
        value instanceof Failure ? value.message : 'valueExpression must evaluate to string or null';
      decisions.push(failure(`expression '${annotation.text}' resulted in error: ${text}`, undefined));
    }
  }
  return { decisions, annotations };
}

/** Undefined when all conditions hold; else why nothing else is looked at. One that does not hold wins over those that fail. */
function* checkConditions(
  { matchConditions }: CompiledPolicy,
  run: (expression: PolicyExpression) => Value | Failure,
): Steps<readonly Decision[] | undefined> {
  const failures: Decision[] = [];
  for (const condition of matchConditions) {
    const value = run(condition);
    yield;
    if (value === false) return [];
    if (value === true) continue;
    const text = value instanceof Failure ? value.message : 'must evaluate to bool';
    failures.push(failure(`match condition '${condition.name}' resulted in error: ${text}`, undefined));
  }
  return failures.length === 0 ? undefined : failures.slice(0, 1);
}

function decide(
  rule: ValidationExpression,
  index: number,
  run: (expression: PolicyExpression) => Value | Failure,
): Decision | undefined {
  const value = run(rule);
  if (value === true) return undefined;
  if (value !== false) {
    const text = value instanceof Failure ? value.message : 'must evaluate to bool';
    return failure(`expression '${rule.text}' resulted in error: ${text}`, index);
  }
  const { message = '', reason = 'Invalid' } = rule.validation;
  const usual = message.trim() || `failed expression: ${rule.text.trim()}`;
  return { message: messageOf(rule, run) ?? usual, reason, index, isFailure: false };
}

/** The text that a message's expression makes; undefined for none that can be shown. */
function messageOf(
  { message }: ValidationExpression,
  run: (expression: PolicyExpression) => Value | Failure,
): string | undefined {
  const made = message && run(message);
  const text = typeof made === 'string' ? made.trim() : '';
  return text === '' || text.length > maxMessageLength || text.includes('\n') ? undefined : text;
}

const failure = (message: string, index: number | undefined): Decision => ({
  message,
  reason: 'Invalid',
  index,
  isFailure: true,
});

function evaluate(
  { compiled }: PolicyExpression,
  lookUp: (name: string) => Value | Failure,
  meter: Meter,
): Value | Failure {
  // Another server may have taken what this one cannot read.
  if ('fault' in compiled) return new Failure(`compilation error: ${compiled.fault}`);
  try {
    return compiled.evaluate(lookUp, meter);
  } catch (error) {
    if (error instanceof CostExceeded) return new Failure(error.message);
    throw error;
  }
}
