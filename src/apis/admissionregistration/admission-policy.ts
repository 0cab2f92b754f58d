import { type Steps, takeSteps } from '../../base/index.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type {
  ExpressionWarning,
  MatchResources,
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '../types/admissionregistration-v1.ts';
import {
  isCIdentifier,
  isDns1035Label,
  isQualifiedName,
  nameIsDnsSubdomain,
  validateLabelSelector,
} from '../validation/index.ts';
import { type CompiledPolicy, compilePolicy, expressionsOf, type ReadTexts } from './policy-expressions.ts';
import { checkTypes } from './policy-types.ts';
import { validateRuleWithOperations } from './webhook-rule.ts';

const specPath = fieldPath('spec');
const reasons: readonly string[] = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];
const maxMatchConditions = 64;
/** Of all expressions together: they are compiled at once. */
const maxLetters = 32_768;

/** Policies whose expressions say which writes are taken. */
export const admissionPolicyRules: KindRules<ValidatingAdmissionPolicy> = {
  hasGeneration: true,
  hasStatus: true,
  validateName: nameIsDnsSubdomain,
  allowsAnyFinalizer: true,
  compileSteps: compileInSteps,
  prepareForCreate: (policy, context) => setStatus(policy, 1, context),
  prepareForUpdate(policy, old, context) {
    const { generation = 1 } = old.metadata;
    if (isSameSpec(policy.spec, old.spec)) policy.status = old.status;
    else setStatus(policy, generation + 1, context);
  },
  validate: ({ spec }) => validateSpec(spec),
  // What is stored was checked when it was written.
  validateUpdate: ({ spec }, old) => (isSameSpec(spec, old.spec) ? [] : validateSpec(spec)),
  status: {
    prepareForUpdate(policy, old) {
      policy.spec = old.spec;
      policy.metadata = { ...old.metadata, managedFields: policy.metadata.managedFields };
    },
    validateUpdate: () => [],
  },
};

const isSameSpec = (spec: ValidatingAdmissionPolicySpec, old: ValidatingAdmissionPolicySpec): boolean =>
  JSON.stringify(spec) === JSON.stringify(old);

/** What was compiled of a policy that is being written. */
interface Checked {
  readonly policy: CompiledPolicy;
  readonly warnings: readonly ExpressionWarning[];
}

const checked = new WeakMap<ValidatingAdmissionPolicySpec, Checked>();

function compileInSteps(
  { spec }: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy | undefined,
  context: RuleContext,
): Steps<void> | undefined {
  const isKnown = old !== undefined && isSameSpec(spec, old.spec);
  return isKnown || lettersOf(spec) > maxLetters ? undefined : checkInSteps(spec, context);
}

function* checkInSteps(spec: ValidatingAdmissionPolicySpec, context: RuleContext): Steps<void> {
  const read: ReadTexts = new Map();
  const policy = yield* compilePolicy(spec, {}, read);
  checked.set(spec, { policy, warnings: yield* checkTypes(spec, context, read) });
}

/** What is known of the types that the expressions are about is told where clients look for it. */
function setStatus(policy: ValidatingAdmissionPolicy, generation: number, context: RuleContext): void {
  if (lettersOf(policy.spec) > maxLetters) return;
  const warnings = checked.get(policy.spec)?.warnings ?? takeSteps(checkTypes(policy.spec, context));
  policy.status = {
    observedGeneration: generation,
    typeChecking: warnings.length === 0 ? {} : { expressionWarnings: [...warnings] },
  };
}

function lettersOf(spec: ValidatingAdmissionPolicySpec): number {
  const texts = [
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.variables ?? []).map(({ expression }) => expression),
    ...(spec.validations ?? []).flatMap(({ expression, messageExpression = '' }) => [
      expression,
      messageExpression,
    ]),
    ...(spec.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression),
  ];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function validateSpec(spec: ValidatingAdmissionPolicySpec): FieldError[] {
  const errors: FieldError[] = [];
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [] } = spec;
  if (failurePolicy !== undefined && !['Fail', 'Ignore'].includes(failurePolicy)) {
    errors.push(notSupported(specPath.child('failurePolicy'), failurePolicy, ['Fail', 'Ignore']));
  }
  if (paramKind !== undefined) validateParamKind(errors, paramKind, specPath.child('paramKind'));
  const constraints = specPath.child('matchConstraints');
  if (matchConstraints === undefined) errors.push(required(constraints));
  else {
    validateMatchResources(errors, matchConstraints, constraints);
    if ((matchConstraints.resourceRules ?? []).length === 0)
      errors.push(required(constraints.child('resourceRules')));
  }
  if (matchConditions.length > maxMatchConditions) {
    errors.push(tooMany(specPath.child('matchConditions'), matchConditions.length, maxMatchConditions));
  }
  validateNames(errors, spec);
  validateValidations(errors, spec);
  if (lettersOf(spec) > maxLetters) {
    errors.push(forbiddenField(specPath, `expressions must have at most ${maxLetters} letters together`));
    return errors;
  }
  const policy = checked.get(spec)?.policy ?? takeSteps(compilePolicy(spec));
  for (const { path, text, compiled } of expressionsOf(policy)) {
    if (text.trim() === '')
      errors.push(required(path, `${path.toString().split('.').at(-1)} is not specified`));
    else if ('fault' in compiled) errors.push(invalidValue(path, text, faultText(compiled.fault)));
  }
  return errors;
}

/** Whoever reads it sees the line of the expression, with a mark below. */
const faultText = (fault: string): string =>
  fault.startsWith('must evaluate') ? fault : `compilation failed: ${fault}`;

function validateParamKind(
  errors: FieldError[],
  { apiVersion = '', kind = '' }: ParamKind,
  path: FieldPath,
): void {
  if (apiVersion === '') errors.push(required(path.child('apiVersion')));
  else if (!/^([a-z0-9.-]+\/)?[a-z0-9]+$/.test(apiVersion)) {
    errors.push(invalidValue(path.child('apiVersion'), apiVersion, 'must be a group and a version'));
  }
  if (kind === '') errors.push(required(path.child('kind')));
  else {
    const problems = isDns1035Label(kind.toLowerCase());
    if (problems.length > 0) {
      const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
      errors.push(invalidValue(path.child('kind'), kind, detail));
    }
  }
}

function validateNames(errors: FieldError[], spec: ValidatingAdmissionPolicySpec): void {
  const check = (
    field: string,
    names: readonly string[],
    member: string,
    problemsOf: (name: string) => readonly string[],
  ): void => {
    const seen = new Set<string>();
    for (const [at, name] of names.entries()) {
      const path = specPath.child(field).index(at).child(member);
      if (name === '') errors.push(required(path));
      else if (seen.has(name)) errors.push(duplicate(path, name));
      else for (const problem of problemsOf(name)) errors.push(invalidValue(path, name, problem));
      seen.add(name);
    }
  };
  const { matchConditions = [], variables = [], auditAnnotations = [] } = spec;
  check(
    'matchConditions',
    matchConditions.map(({ name }) => name),
    'name',
    isQualifiedName,
  );
  check(
    'variables',
    variables.map(({ name }) => name),
    'name',
    isCIdentifier,
  );
  check(
    'auditAnnotations',
    auditAnnotations.map(({ key }) => key),
    'key',
    isQualifiedName,
  );
}

function validateValidations(
  errors: FieldError[],
  { validations = [], auditAnnotations = [] }: ValidatingAdmissionPolicySpec,
): void {
  if (validations.length + auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.push(required(specPath.child('validations'), detail));
  }
  for (const [at, validation] of validations.entries()) {
    validateMessages(errors, validation, specPath.child('validations').index(at));
  }
}

/** Adds the errors of what a validation says. */
function validateMessages(
  errors: FieldError[],
  { expression, message = '', messageExpression = '', reason }: Validation,
  path: FieldPath,
): void {
  const texts = { message, messageExpression };
  for (const [name, text] of Object.entries(texts)) {
    if (text !== '' && text.trim() === '') {
      errors.push(invalidValue(path.child(name), text, `${name} must be non-empty if specified`));
    }
  }
  if (message.trim().includes('\n')) {
    errors.push(invalidValue(path.child('message'), message, 'message must not contain line breaks'));
  } else if (message === '' && messageExpression === '' && expression.trim().includes('\n')) {
    errors.push(
      required(path.child('message'), 'message must be specified if expression contains line breaks'),
    );
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupported(path.child('reason'), reason, reasons));
  }
}

/** Adds the errors of which requests a policy or a binding is about. */
export function validateMatchResources(errors: FieldError[], match: MatchResources, path: FieldPath): void {
  const { matchPolicy, resourceRules = [], excludeResourceRules = [] } = match;
  if (matchPolicy !== undefined && !['Equivalent', 'Exact'].includes(matchPolicy)) {
    errors.push(notSupported(path.child('matchPolicy'), matchPolicy, ['Equivalent', 'Exact']));
  }
  errors.push(
    ...validateLabelSelector(match.namespaceSelector, path.child('namespaceSelector')),
    ...validateLabelSelector(match.objectSelector, path.child('objectSelector')),
  );
  for (const [field, rules] of Object.entries({ resourceRules, excludeResourceRules })) {
    for (const [at, rule] of rules.entries()) {
      const rulePath = path.child(field).index(at);
      validateRuleWithOperations(errors, rule, rulePath);
      const names = rule.resourceNames ?? [];
      for (const [place, name] of names.entries()) {
        if (names.indexOf(name) < place)
          errors.push(duplicate(rulePath.child('resourceNames').index(place), name));
      }
    }
  }
}
