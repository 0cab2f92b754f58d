import { addAll } from '../../base/index.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { KindRules } from '../kind-rules.ts';
import type {
  ParamRef,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBindingSpec,
} from '../types/admissionregistration-v1.ts';
import { goStringList, nameIsDnsSubdomain, validateLabelSelector } from '../validation/index.ts';
import { validateMatchResources } from './admission-policy.ts';

const specPath = fieldPath('spec');
const actions: readonly string[] = ['Audit', 'Deny', 'Warn'];

/** What makes a policy count: for which requests, with which parameters, and what follows. */
export const policyBindingRules: KindRules<ValidatingAdmissionPolicyBinding> = {
  hasGeneration: true,
  validateName: nameIsDnsSubdomain,
  allowsAnyFinalizer: true,
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }) => validateSpec(spec),
};

function validateSpec(spec: ValidatingAdmissionPolicyBindingSpec): FieldError[] {
  const errors: FieldError[] = [];
  const { policyName = '', paramRef, matchResources } = spec;
  const namePath = specPath.child('policyName');
  if (policyName === '') errors.push(required(namePath));
  else
    for (const problem of nameIsDnsSubdomain(policyName, false))
      errors.push(invalidValue(namePath, policyName, problem));
  if (paramRef !== undefined) validateParamRef(errors, paramRef, specPath.child('paramRef'));
  if (matchResources !== undefined)
    validateMatchResources(errors, matchResources, specPath.child('matchResources'));
  validateActions(errors, spec.validationActions ?? [], specPath.child('validationActions'));
  return errors;
}

function validateParamRef(errors: FieldError[], ref: ParamRef, path: FieldPath): void {
  const { name = '', selector, parameterNotFoundAction: action } = ref;
  if (name !== '') {
    for (const problem of nameIsDnsSubdomain(name, false))
      errors.push(invalidValue(path.child('name'), name, problem));
    if (selector !== undefined)
      errors.push(forbiddenField(path.child('name'), 'name and selector are mutually exclusive'));
  } else if (selector === undefined) errors.push(required(path, 'one of name or selector must be specified'));
  addAll(errors, validateLabelSelector(selector, path.child('selector')));
  const actionPath = path.child('parameterNotFoundAction');
  if (action === undefined) errors.push(required(actionPath));
  else if (!['Allow', 'Deny'].includes(action))
    errors.push(notSupported(actionPath, action, ['Deny', 'Allow']));
}

function validateActions(errors: FieldError[], given: readonly string[], path: FieldPath): void {
  if (given.length === 0) errors.push(required(path, 'at least one validation action is required'));
  const seen = new Set<string>();
  for (const [at, action] of given.entries()) {
    if (!actions.includes(action)) errors.push(notSupported(path.index(at), action, actions));
    if (seen.has(action)) errors.push(duplicate(path.index(at), action));
    seen.add(action);
  }
  if (!given.includes('Deny') || !given.includes('Warn')) return;
  const detail =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  errors.push(invalidValue(path, goStringList(given), detail));
}
