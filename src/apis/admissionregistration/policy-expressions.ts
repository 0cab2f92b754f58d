import type { Steps } from '../../base/index.ts';
import {
  bool,
  type CelType,
  compileExpression,
  dyn,
  type Expression,
  type ExpressionFault,
  listOf,
  mapOf,
  objectType,
  type ReadExpression,
  readExpression,
  simpleType,
  string,
} from '../../machinery/cel/index.ts';
import { type FieldPath, fieldPath } from '../../machinery/errors/index.ts';
import type { ValidatingAdmissionPolicySpec, Validation } from '../types/admissionregistration-v1.ts';

/** One expression of a policy, and where it stands. */
export interface PolicyExpression {
  readonly path: FieldPath;
  readonly text: string;
  readonly compiled: Expression | ExpressionFault;
}

/** A named expression: a variable, a condition, an annotation of the audit log. */
export interface NamedExpression extends PolicyExpression {
  readonly name: string;
}

/** One validation; `message` is there when its message is an expression. */
export interface ValidationExpression extends PolicyExpression {
  readonly validation: Validation;
  readonly message: PolicyExpression | undefined;
}

/** All expressions of a policy. */
export interface CompiledPolicy {
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
  readonly validations: readonly ValidationExpression[];
  readonly auditAnnotations: readonly NamedExpression[];
}

/** Types of what a policy is about, where they are known: everything is open else. */
export interface PolicyTypes {
  readonly object?: CelType | undefined;
  readonly params?: CelType | undefined;
}

const kindType = objectType('kind', { group: string, version: string, kind: string });
const resourceType = objectType('resource', { group: string, version: string, resource: string });
const userType = objectType('userInfo', {
  username: string,
  uid: string,
  groups: listOf(string),
  extra: mapOf(string, listOf(string)),
});

/** The request as expressions see it. Source: apiserver, `pkg/admission/plugin/cel`, `BuildRequestType`. */
const requestType = objectType('request', {
  kind: kindType,
  resource: resourceType,
  subResource: string,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: userType,
  dryRun: bool,
  options: dyn,
});

const opaque = (name: string): CelType => ({ kind: 'opaque', name });

/** Asks what users may do; not in messages, as in later releases. */
const authorizerTypes: readonly (readonly [string, CelType])[] = [
  ['authorizer', opaque('authorization.Authorizer')],
  ['authorizer.requestResource', opaque('authorization.ResourceCheck')],
];

const specPath = fieldPath('spec');
const missing: ExpressionFault = { fault: 'missing expression' };
const texts: readonly CelType[] = [string];
const truths: readonly CelType[] = [bool];
const annotationTypes: readonly CelType[] = [string, simpleType('null_type')];

/** What was read of the texts of a policy's expressions, for compiling them with other types. */
export type ReadTexts = Map<string, ReadExpression | ExpressionFault>;

/**
 * Compiles the expressions of a policy, right ones and wrong ones, one in each step, which takes some milliseconds. A variable sees
 * those before it.
 *
 * Source: validating admission policies of later releases, `admissionregistration/v1`.
 */
export function* compilePolicy(
  spec: ValidatingAdmissionPolicySpec,
  types: PolicyTypes = {},
  read: ReadTexts = new Map(),
): Steps<CompiledPolicy> {
  const known = new Map<string, CelType>();
  const inMessages = new Map<string, CelType>([
    ['object', types.object ?? dyn],
    ['oldObject', types.object ?? dyn],
    ['namespaceObject', dyn],
    ['request', requestType],
    ...(spec.paramKind === undefined ? [] : [['params', types.params ?? dyn] as const]),
  ]);
  const outer = new Map<string, CelType>([...inMessages, ...authorizerTypes]);
  function* compile(
    path: FieldPath,
    text: string,
    wanted: readonly CelType[],
    variables = outer,
  ): Steps<PolicyExpression> {
    if (text.trim() === '') return { path, text, compiled: missing };
    const known = read.get(text) ?? readExpression(text);
    read.set(text, known);
    yield;
    return { path, text, compiled: compileExpression(known, { variables }, wanted) };
  }
  const matchConditions: NamedExpression[] = [];
  for (const [at, { name, expression }] of (spec.matchConditions ?? []).entries()) {
    const path = specPath.child('matchConditions').index(at).child('expression');
    matchConditions.push({ ...(yield* compile(path, expression, truths)), name });
  }
  const variablesType: CelType = { kind: 'object', name: 'variables', field: (name) => known.get(name) };
  outer.set('variables', variablesType);
  inMessages.set('variables', variablesType);
  const variables: NamedExpression[] = [];
  for (const [at, { name, expression }] of (spec.variables ?? []).entries()) {
    const path = specPath.child('variables').index(at).child('expression');
    const variable = { ...(yield* compile(path, expression, [])), name };
    known.set(name, 'type' in variable.compiled ? variable.compiled.type : dyn);
    variables.push(variable);
  }
  const validations: ValidationExpression[] = [];
  for (const [at, validation] of (spec.validations ?? []).entries()) {
    const path = specPath.child('validations').index(at);
    const { expression, messageExpression = '' } = validation;
    const rule = yield* compile(path.child('expression'), expression, truths);
    const messagePath = path.child('messageExpression');
    const message =
      messageExpression === ''
        ? undefined
        : yield* compile(messagePath, messageExpression, texts, inMessages);
    validations.push({ ...rule, validation, message });
  }
  const auditAnnotations: NamedExpression[] = [];
  for (const [at, { key, valueExpression }] of (spec.auditAnnotations ?? []).entries()) {
    const path = specPath.child('auditAnnotations').index(at).child('valueExpression');
    auditAnnotations.push({ ...(yield* compile(path, valueExpression, annotationTypes)), name: key });
  }
  return { matchConditions, variables, validations, auditAnnotations };
}

/** All expressions of a policy, in order. */
export function* expressionsOf(policy: CompiledPolicy): Generator<PolicyExpression> {
  yield* policy.matchConditions;
  yield* policy.variables;
  for (const validation of policy.validations) {
    yield validation;
    if (validation.message !== undefined) yield validation.message;
  }
  yield* policy.auditAnnotations;
}
