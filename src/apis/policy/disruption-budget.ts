import { addAll } from '../../base/index.ts';
import { type FieldError, type FieldPath, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { PodDisruptionBudget } from '../types/policy-v1beta1.ts';
import {
  isValidPercent,
  nameIsPathSegment,
  renderGo,
  validateLabelSelector,
  validateNonNegative,
} from '../validation/index.ts';

const specPath = fieldPath('spec');

/** Disruption budgets: how many pods must stay, or may go. */
export const disruptionBudgetRules: KindRules<PodDisruptionBudget> = {
  hasStatus: true,
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  checksMetadataLast: true,
  validateName: nameIsPathSegment,
  allowsAnyFinalizer: true,
  prepareForCreate(budget) {
    budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  prepareForUpdate(budget, old) {
    budget.status = old.status;
  },
  validate: validateBudget,
  validateUpdate: (budget, _old, context) => validateBudget(budget, context),
  status: {
    prepareForUpdate(budget, old) {
      budget.spec = old.spec;
    },
  },
};

function validateBudget({ spec, status }: PodDisruptionBudget, { catalog }: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const shown = renderGo(spec, 'policy/v1beta1.PodDisruptionBudgetSpec', catalog);
    errors.push(invalidValue(specPath, shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const value = spec[field];
    if (value !== undefined) validateAmount(errors, value, specPath.child(field), catalog);
  }
  addAll(errors, validateLabelSelector(spec.selector, specPath.child('selector')));
  for (const field of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const)
    errors.push(...validateNonNegative(status[field], fieldPath('status', field)));
  return errors;
}

/** A number of pods, or a share of at most 100%. */
function validateAmount(
  errors: FieldError[],
  value: number | string,
  path: FieldPath,
  catalog: RuleContext['catalog'],
): void {
  if (typeof value === 'number') {
    errors.push(...validateNonNegative(value, path));
    return;
  }
  const shown = renderGo(value, 'intstr.IntOrString', catalog);
  const problems = isValidPercent(value);
  reportInvalid(errors, path, shown, problems);
  if (problems.length === 0 && Number.parseInt(value, 10) > 100) {
    errors.push(invalidValue(path, shown, 'must not be greater than 100%'));
  }
}
