import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { CustomResourceDefinition } from '../types/apiextensions-v1beta1.ts';
import { goStringList, renderGo } from '../validation/index.ts';

const storedPath = fieldPath('status', 'storedVersions');

/** Errors of `status.storedVersions`: every version in which objects may still be stored. */
export function validateStoredVersions(
  { spec, status }: CustomResourceDefinition,
  { catalog }: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const stored = status.storedVersions ?? [];
  if (stored.length === 0) {
    return [invalidValue(storedPath, goStringList(stored), 'must have at least one stored version')];
  }
  const versions = spec.versions ?? [];
  const storedNames = new Set(stored);
  for (const version of versions) {
    // Each name counts once, for the first version that has it.
    if (storedNames.delete(version.name) || !version.storage) continue;
    const shown = renderGo(version, 'apiextensions.orch.io/v1beta1.CustomResourceDefinitionVersion', catalog);
    errors.push(invalidValue(storedPath, shown, `must have the storage version ${version.name}`));
  }
  const names = new Set(versions.map(({ name }) => name));
  for (const [at, name] of stored.entries()) {
    if (names.has(name)) continue;
    errors.push(invalidValue(storedPath.index(at), name, 'must appear in spec.versions'));
  }
  return errors;
}
