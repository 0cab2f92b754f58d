import { type FieldError, type FieldPath, invalidValue, tooLong } from '../../machinery/errors/index.ts';
import { isLongerThan } from '../../machinery/formats/index.ts';
import type { ManagedFieldsEntry } from '../../machinery/meta/index.ts';

/** Most bytes of a field manager's name. */
const maxFieldManagerBytes = 128;

/** Printable characters of ASCII, which are all allowed and all that most names have. */
const plainText = /^[ -~]*$/;

/** Errors of a field manager's name: too long, or characters that cannot be printed. Empty is fine. */
function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (isLongerThan(manager, maxFieldManagerBytes)) {
    return [tooLong(path, manager, maxFieldManagerBytes)];
  }
  if (plainText.test(manager)) return errors;
  let position = 0;
  for (const character of manager) {
    if (!/^(?:[\p{L}\p{M}\p{N}\p{P}\p{S}]| )$/u.test(character)) {
      const detail = `invalid character ${describeCharacter(character)} (at position ${position})`;
      errors.push(invalidValue(path, manager, detail));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

/** `U+000A`; unprintable characters are not shown themselves. */
const describeCharacter = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Errors of `metadata.managedFields` that do not depend on the fields' content. */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let position = 0;
  for (const entry of entries ?? []) {
    const { operation = '', fieldsType = '' } = entry;
    const entryPath = path.index(position++);
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalidValue(entryPath.child('operation'), operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalidValue(entryPath.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    }
    errors.push(...validateFieldManager(entry.manager ?? '', entryPath.child('manager')));
  }
  return errors;
}
