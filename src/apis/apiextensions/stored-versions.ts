import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { CustomResourceDefinition } from '../types/apiextensions-v1beta1.ts';
import { goStringList } from '../validation/index.ts';

const storedPath = fieldPath('status', 'storedVersions');

/** Errors of `status.storedVersions`: every version in which objects may still be stored. */
export function validateStoredVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const stored = status.storedVersions ?? [];
  const shown = goStringList(stored);
  if (stored.length === 0) {
    return [invalidValue(storedPath, shown, 'must have at least one stored version')];
  }
  const versions = spec.versions ?? [];
  const storage = versions.findLast((version) => version.storage)?.name;
  if (storage !== undefined && !stored.includes(storage)) {
    errors.push(invalidValue(storedPath, shown, `must have the storage version ${storage}`));
  }
  for (const [at, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    errors.push(invalidValue(storedPath.index(at), name, 'must appear in spec.versions'));
  }
  return errors;
}
