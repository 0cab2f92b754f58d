import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
} from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid } from '../../reporting.ts';
import type { Toleration } from '../../types/core-v1.ts';
import { isLabelValue, isQualifiedName, renderGo } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };

const keylessText =
  'operator must be Exists when `key` is empty, which means "match all values and all keys"';

/** Errors of the taints that a pod tolerates. */
export function checkTolerations(
  errors: FieldError[],
  tolerations: readonly Toleration[],
  path: FieldPath,
  context: RuleContext,
): void {
  for (const [position, toleration] of tolerations.entries()) {
    const { key = '', operator = '', effect = '' } = toleration;
    const at = path.index(position);
    if (key !== '') reportInvalid(errors, at.child('key'), key, isQualifiedName(key));
    else if (operator !== 'Exists') errors.push(invalidValue(at.child('operator'), operator, keylessText));
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalidValue(at.child('effect'), effect, detail));
    }
    checkOperator(errors, toleration, at.child('operator'), context);
    if (effect !== '' && !allowed.taintEffect.includes(effect)) {
      errors.push(notSupported(at.child('effect'), effect, allowed.taintEffect));
    }
  }
}

function checkOperator(
  errors: FieldError[],
  toleration: Toleration,
  path: FieldPath,
  context: RuleContext,
): void {
  const { operator = '', value = '' } = toleration;
  if (operator === '' || operator === 'Equal') {
    const problems = isLabelValue(value);
    if (problems.length > 0) errors.push(invalidValue(path, value, problems.join(';')));
  } else if (operator !== 'Exists') {
    errors.push(notSupported(path, operator, allowed.tolerationOperator));
  } else if (value !== '') {
    const shown = renderGo(toleration, 'v1.Toleration', context.catalog);
    errors.push(invalidValue(path, shown, "value must be empty when `operator` is 'Exists'"));
  }
}
