import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../../types/core-v1.ts';
import { isQualifiedName, nameIsDnsSubdomain } from '../../validation/index.ts';

const notAnOperator = 'not a valid selector operator';

/** Errors of a choice of nodes; there must be one term at least. */
export function checkNodeSelector(errors: FieldError[], selector: NodeSelector, path: FieldPath): void {
  const termsPath = path.child('nodeSelectorTerms');
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) errors.push(required(termsPath, 'must have at least one node selector term'));
  for (const [position, term] of terms.entries()) {
    checkNodeSelectorTerm(errors, term, termsPath.index(position));
  }
}

/** Errors of one term: expressions about labels and about fields. */
export function checkNodeSelectorTerm(errors: FieldError[], term: NodeSelectorTerm, path: FieldPath): void {
  for (const [position, requirement] of (term.matchExpressions ?? []).entries()) {
    checkLabelRequirement(errors, requirement, path.child('matchExpressions').index(position));
  }
  for (const [position, requirement] of (term.matchFields ?? []).entries()) {
    checkFieldRequirement(errors, requirement, path.child('matchFields').index(position));
  }
}

function checkLabelRequirement(
  errors: FieldError[],
  requirement: NodeSelectorRequirement,
  path: FieldPath,
): void {
  const { key, operator, values = [] } = requirement;
  const valuesPath = path.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) break;
      errors.push(required(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist': {
      if (values.length === 0) break;
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbiddenField(valuesPath, detail));
      break;
    }
    case 'Gt':
    case 'Lt':
      if (values.length === 1) break;
      errors.push(required(valuesPath, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      break;
    default:
      errors.push(invalidValue(path.child('operator'), operator, notAnOperator));
  }
  reportInvalid(errors, path.child('key'), key, isQualifiedName(key));
}

function checkFieldRequirement(
  errors: FieldError[],
  requirement: NodeSelectorRequirement,
  path: FieldPath,
): void {
  const { key, operator, values = [] } = requirement;
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalidValue(path.child('operator'), operator, notAnOperator));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(path.child('values'), detail));
  }
  if (key !== 'metadata.name') {
    errors.push(invalidValue(path.child('key'), key, 'not a valid field selector key'));
    return;
  }
  for (const [position, value] of values.entries()) {
    reportInvalid(errors, path.child('values').index(position), value, nameIsDnsSubdomain(value, false));
  }
}
