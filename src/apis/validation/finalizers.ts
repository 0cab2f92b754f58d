import type { Dialect } from '../../machinery/dialect.ts';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
} from '../../machinery/errors/index.ts';
import { isQualifiedName } from '../../machinery/formats/index.ts';
import { goStringList } from './go-syntax.ts';

const orphan = 'orphan';
const foregroundDeletion = 'foregroundDeletion';

/** Finalizers without a domain that objects of built-in kinds may have. */
export const standardFinalizers = (dialect: Dialect): ReadonlySet<string> =>
  new Set([dialect.spell('orch'), orphan, foregroundDeletion]);

/** Errors of a finalizer's form. */
export const validateFinalizerName = (name: string, path: FieldPath): FieldError[] =>
  isQualifiedName(name).map((problem) => invalidValue(path, name, problem));

/** The error of a finalizer that has no domain and is not in `standard`. */
export function validateStandardFinalizer(
  name: string,
  standard: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  if (name.includes('/') || standard.has(name)) return [];
  return [invalidValue(path, name, 'name is neither a standard finalizer name nor is it fully qualified')];
}

/** Errors of an object's finalizers, at the list's own path. The two that decide about dependents exclude each other. */
export function validateFinalizers(names: readonly string[] | undefined, path: FieldPath): FieldError[] {
  if (names === undefined) return [];
  const errors = names.flatMap((name) => validateFinalizerName(name, path));
  if (names.includes(orphan) && names.includes(foregroundDeletion)) {
    const detail = `finalizer ${orphan} and ${foregroundDeletion} cannot be both set`;
    errors.push(invalidValue(path, goStringList(names), detail));
  }
  return errors;
}

/** The error of finalizers that were not there when deletion began. */
export function validateNoNewFinalizers(
  names: readonly string[] | undefined,
  old: readonly string[] | undefined,
  path: FieldPath,
): FieldError[] {
  const known = new Set(old);
  const added = [...new Set(names)].filter((name) => !known.has(name)).sort();
  if (added.length === 0) return [];
  const shown = goStringList(added).text;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [forbiddenField(path, detail)];
}
