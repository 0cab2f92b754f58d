import { addAll } from '../../../base/index.ts';
import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import { parseQuantity, quantitySign } from '../../../machinery/values/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type { PersistentVolumeClaimSpec, PersistentVolumeSpec } from '../../types/core-v1.ts';
import { isDns1123Subdomain, validateLabelSelector } from '../../validation/index.ts';

/** Ways in which nodes may mount a volume at the same time. */
export const accessModes: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
/** What pods see of a volume. */
const volumeModes: readonly string[] = ['Block', 'Filesystem'];

/** Errors of the spec of a claim, in claims and in templates of claims. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!spec.accessModes?.length) {
    errors.push(required(path.child('accessModes'), 'at least 1 access mode is required'));
  }
  addAll(errors, validateLabelSelector(spec.selector, path.child('selector')));
  for (const mode of spec.accessModes ?? []) {
    if (!accessModes.includes(mode)) errors.push(notSupported(path.child('accessModes'), mode, accessModes));
  }
  const size = spec.resources.requests?.storage;
  const sizePath = path.child('resources').key('storage');
  if (size === undefined) errors.push(required(sizePath));
  else if (quantitySign(parseQuantity(size)) <= 0) {
    errors.push(invalidValue(sizePath, size, 'must be greater than zero'));
  }
  validateClassAndMode(errors, spec, path);
  validateDataSource(errors, spec, path.child('dataSource'));
  return errors;
}

/** Adds the errors of fields that volumes and claims share. */
export function validateClassAndMode(
  errors: FieldError[],
  { storageClassName, volumeMode }: Pick<PersistentVolumeSpec, 'storageClassName' | 'volumeMode'>,
  path: FieldPath,
): void {
  if (storageClassName) {
    const problems = isDns1123Subdomain(storageClassName);
    reportInvalid(errors, path.child('storageClassName'), storageClassName, problems);
  }
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode)) {
    errors.push(notSupported(path.child('volumeMode'), volumeMode, volumeModes));
  }
}

function validateDataSource(
  errors: FieldError[],
  { dataSource }: PersistentVolumeClaimSpec,
  path: FieldPath,
): void {
  if (dataSource === undefined) return;
  const { apiGroup, kind, name } = dataSource;
  if (name === '') errors.push(required(path.child('name')));
  if (kind === '') errors.push(required(path.child('kind')));
  // Release 1.20 says nothing of what is wrong with such a kind.
  if (!apiGroup && kind !== 'PersistentVolumeClaim') errors.push(invalidValue(path, kind, ''));
}
