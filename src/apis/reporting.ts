import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../machinery/errors/index.ts';

/** Adds one `invalid` error per problem that a format check found. */
export function reportInvalid(
  errors: FieldError[],
  path: FieldPath,
  value: unknown,
  problems: readonly string[],
): void {
  for (const problem of problems) errors.push(invalidValue(path, value, problem));
}

/** Adds an error when `value` is empty or none of `supported`; true when it is fine. */
export function requireOneOf(
  errors: FieldError[],
  path: FieldPath,
  value: string | undefined,
  supported: readonly string[],
): boolean {
  if (value === undefined || value === '') errors.push(required(path, ''));
  else if (!supported.includes(value)) errors.push(notSupported(path, value, supported));
  else return true;
  return false;
}

/** True when `value` is left out or empty text. */
export const isEmptyText = (value: string | null | undefined): boolean =>
  value === undefined || value === null || value === '';
