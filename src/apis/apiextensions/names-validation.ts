import { type FieldError, type FieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import type { CustomResourceDefinitionNames } from '../types/apiextensions-v1beta1.ts';
import { isDns1035Label } from '../validation/index.ts';

/** Adds the errors of the names that a definition wants: some must be there, and all are labels. */
export function validateNames(
  errors: FieldError[],
  names: CustomResourceDefinitionNames,
  path: FieldPath,
): void {
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names[field]) errors.push(required(path.child(field)));
  }
  validateNameFormats(errors, names, path);
}

/** Adds the errors of names that are no labels, also of those that a definition was found to have. */
export function validateNameFormats(
  errors: FieldError[],
  names: CustomResourceDefinitionNames,
  path: FieldPath,
): void {
  const { plural, singular = '', kind, listKind = '' } = names;
  const report = (at: FieldPath, value: string, prefix = ''): void => {
    const problems = isDns1035Label(prefix === '' ? value : value.toLowerCase());
    if (problems.length > 0) errors.push(invalidValue(at, value, prefix + problems.join(',')));
  };
  const mixed = 'may have mixed case, but should otherwise match: ';
  if (plural !== '') report(path.child('plural'), plural);
  if (singular !== '') report(path.child('singular'), singular);
  if (kind !== '') report(path.child('kind'), kind, mixed);
  if (listKind !== '') report(path.child('listKind'), listKind, mixed);
  for (const [at, name] of (names.shortNames ?? []).entries())
    report(path.child('shortNames').index(at), name);
  if (kind !== '' && kind === listKind) {
    errors.push(invalidValue(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  }
  for (const [at, name] of (names.categories ?? []).entries())
    report(path.child('categories').index(at), name);
}
