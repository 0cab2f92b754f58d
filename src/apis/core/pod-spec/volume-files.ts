import { type FieldError, type FieldPath, invalidValue, required } from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type { DownwardAPIVolumeFile, KeyToPath } from '../../types/core-v1.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkObjectField, checkResourceField } from './field-references.ts';
import { checkNonReservedPath } from './local-paths.ts';

/** Errors of the permission bits of a file. */
export function checkFileMode(errors: FieldError[], mode: number | undefined, path: FieldPath): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) {
    errors.push(invalidValue(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
  }
}

/** Errors of a key that becomes a file. */
export function checkKeyToPath(errors: FieldError[], item: KeyToPath, path: FieldPath): void {
  if (item.key === '') errors.push(required(path.child('key')));
  if (item.path === '') errors.push(required(path.child('path')));
  checkNonReservedPath(errors, item.path, path.child('path'));
  checkFileMode(errors, item.mode, path.child('mode'));
}

/** Errors of a field of the pod that becomes a file. `path` is the source's: release 1.20 leaves the item out. */
export function checkDownwardFile(
  errors: FieldError[],
  file: DownwardAPIVolumeFile,
  path: FieldPath,
  context: RuleContext,
): void {
  if (file.path === '') errors.push(required(path.child('path')));
  checkNonReservedPath(errors, file.path, path.child('path'));
  if (file.fieldRef) {
    checkObjectField(errors, file.fieldRef, allowed.volumeFieldPath, path.child('fieldRef'));
    if (file.resourceFieldRef) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalidValue(path, 'resource', detail));
    }
  } else if (file.resourceFieldRef) {
    const options = { isInVolume: true, context };
    checkResourceField(errors, file.resourceFieldRef, path.child('resourceFieldRef'), options);
  } else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  checkFileMode(errors, file.mode, path.child('mode'));
}
