import { type FieldError, type FieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { ManagedFieldsEntry } from '../../machinery/meta/index.ts';

/** Errors of `metadata.managedFields` that do not depend on the fields' content. Release 1.20 does not say which entry it is. */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const { operation = '', fieldsType = '' } of entries ?? []) {
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalidValue(path.child('operation'), operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalidValue(path.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    }
  }
  return errors;
}
