import { type FieldError, type FieldPath, invalidValue, required } from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid } from '../../reporting.ts';
import type { EnvFromSource, EnvVar, EnvVarSource } from '../../types/core-v1.ts';
import { isConfigMapKey, isEnvVarName, nameIsDnsSubdomain } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkObjectField, checkResourceField } from './field-references.ts';

const moreThanOne = 'may not have more than one field specified at a time';

/** Errors of the environment variables of one container. */
export function checkEnv(
  errors: FieldError[],
  variables: readonly EnvVar[],
  path: FieldPath,
  context: RuleContext,
): void {
  for (const [position, variable] of variables.entries()) {
    const itemPath = path.index(position);
    if (variable.name === '') errors.push(required(itemPath.child('name')));
    else reportInvalid(errors, itemPath.child('name'), variable.name, isEnvVarName(variable.name));
    if (variable.valueFrom) {
      const sourcePath = itemPath.child('valueFrom');
      const count = checkSource(errors, variable.valueFrom, sourcePath, context);
      checkCount(errors, count, Boolean(variable.value), sourcePath);
    }
  }
}

/** Checks each source that is set; says how many there are. */
function checkSource(
  errors: FieldError[],
  source: EnvVarSource,
  path: FieldPath,
  context: RuleContext,
): number {
  let count = 0;
  if (source.fieldRef) {
    count += 1;
    checkObjectField(errors, source.fieldRef, allowed.environmentFieldPath, path.child('fieldRef'));
  }
  if (source.resourceFieldRef) {
    count += 1;
    const options = { isInVolume: false, context };
    checkResourceField(errors, source.resourceFieldRef, path.child('resourceFieldRef'), options);
  }
  for (const field of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = source[field];
    if (!reference) continue;
    count += 1;
    const name = reference.name ?? '';
    const referencePath = path.child(field);
    reportInvalid(errors, referencePath.child('name'), name, nameIsDnsSubdomain(name, false));
    if (reference.key === '') errors.push(required(referencePath.child('key')));
    else reportInvalid(errors, referencePath.child('key'), reference.key, isConfigMapKey(reference.key));
  }
  return count;
}

function checkCount(errors: FieldError[], count: number, hasValue: boolean, path: FieldPath): void {
  if (count === 0) {
    const names = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    errors.push(invalidValue(path, '', `must specify one of: ${names}`));
  } else if (hasValue) {
    errors.push(invalidValue(path, '', 'may not be specified when `value` is not empty'));
  } else if (count > 1) errors.push(invalidValue(path, '', moreThanOne));
}

/** Errors of the whole ConfigMaps and Secrets that become variables. Some are reported at the list, as in release 1.20. */
export function checkEnvFrom(errors: FieldError[], sources: readonly EnvFromSource[], path: FieldPath): void {
  for (const [position, source] of sources.entries()) {
    const itemPath = path.index(position);
    if (source.prefix) {
      reportInvalid(errors, itemPath.child('prefix'), source.prefix, isEnvVarName(source.prefix));
    }
    let count = 0;
    for (const field of ['configMapRef', 'secretRef'] as const) {
      const reference = source[field];
      if (!reference) continue;
      count += 1;
      const namePath = itemPath.child(field, 'name');
      if (!reference.name) errors.push(required(namePath));
      else reportInvalid(errors, namePath, reference.name, nameIsDnsSubdomain(reference.name, true));
    }
    if (count === 0) {
      errors.push(invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (count > 1) errors.push(invalidValue(path, '', moreThanOne));
  }
}
