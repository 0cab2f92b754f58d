import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidValue,
  tooLong,
} from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import type { KindRules } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { ConfigMap, Secret } from '../types/core-v1.ts';
import { deepEqual, isConfigMapKey, nameIsDnsSubdomain } from '../validation/index.ts';
import { base64Bytes, maxDataBytes } from './data-size.ts';

const frozen = 'field is immutable when `immutable` is set';

/** ConfigMaps: keys are file names, the size is bounded, and one that is immutable stays as it is. */
export const configMapRules: KindRules<ConfigMap> = {
  validateName: nameIsDnsSubdomain,
  prepareForCreate: (map, { gates }) => dropImmutable(map, undefined, gates),
  prepareForUpdate: (map, old, { gates }) => dropImmutable(map, old, gates),
  validate: validateConfigMap,
  validateKept: validateFrozen,
  validateUpdate: validateConfigMap,
};

/** Without its gate nothing becomes immutable; what was so before may say so still. */
export function dropImmutable(
  object: ConfigMap | Secret,
  old: ConfigMap | Secret | undefined,
  gates: ReadonlySet<string>,
): void {
  if (!gates.has('ImmutableEphemeralVolumes') && old?.immutable === undefined) delete object.immutable;
}

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let totalBytes = 0;
  for (const key in data) {
    const problems = isConfigMapKey(key);
    const isTwice = Object.hasOwn(binaryData, key);
    if (problems.length > 0 || isTwice) {
      const path = fieldPath('data').key(key);
      reportInvalid(errors, path, key, problems);
      if (isTwice) errors.push(invalidValue(path, key, 'duplicate of key present in binaryData'));
    }
    totalBytes += Buffer.byteLength(data[key] ?? '');
  }
  for (const key in binaryData) {
    const problems = isConfigMapKey(key);
    if (problems.length > 0) reportInvalid(errors, fieldPath('binaryData').key(key), key, problems);
    totalBytes += base64Bytes(binaryData[key] ?? '');
  }
  // Release 1.20 prints the path of the whole object as an index without a text.
  if (totalBytes > maxDataBytes) errors.push(tooLong(fieldPath('[]'), '', maxDataBytes));
  return errors;
}

function validateFrozen(map: ConfigMap, old: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  if (old.immutable !== true) return errors;
  if (map.immutable !== true) errors.push(forbiddenField(fieldPath('immutable'), frozen));
  for (const field of ['data', 'binaryData'] as const) {
    if (!isSameMap(map, old, field)) errors.push(forbiddenField(fieldPath(field), frozen));
  }
  return errors;
}

/** True when a map is as it was. Release 1.20 tells an empty one from none here. */
export const isSameMap = <T extends ConfigMap | Secret>(
  object: T,
  old: T,
  field: keyof T & string,
): boolean =>
  deepEqual(object[field], old[field]) && !(old[field] === undefined && wasGivenEmpty(object, field));
