import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import { validateLabelName, validateLabels } from './labels.ts';

/** The `LabelSelector` of the API, in canonical form. */
export interface LabelSelectorShape {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?: readonly LabelRequirementShape[] | undefined;
}

/** One expression of a `LabelSelector`. */
export interface LabelRequirementShape {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** Errors of a selector's labels and expressions. An absent selector is fine. */
export function validateLabelSelector(
  selector: LabelSelectorShape | null | undefined,
  path: FieldPath,
): FieldError[] {
  if (!selector) return [];
  const errors = validateLabels(selector.matchLabels, path.child('matchLabels'));
  for (const [position, requirement] of (selector.matchExpressions ?? []).entries()) {
    const requirementPath = path.child('matchExpressions').index(position);
    errors.push(
      ...validateOperator(requirement, requirementPath),
      ...validateLabelName(requirement.key, requirementPath.child('key')),
    );
  }
  return errors;
}

function validateOperator(requirement: LabelRequirementShape, path: FieldPath): FieldError[] {
  const hasValues = (requirement.values?.length ?? 0) > 0;
  switch (requirement.operator) {
    case 'In':
    case 'NotIn': {
      const detail = "must be specified when `operator` is 'In' or 'NotIn'";
      return hasValues ? [] : [required(path.child('values'), detail)];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      return hasValues ? [forbiddenField(path.child('values'), detail)] : [];
    }
    default:
      return [invalidValue(path.child('operator'), requirement.operator, 'not a valid selector operator')];
  }
}
