import {
  type FieldError,
  type FieldPath,
  invalidValue,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import { goStringList } from './go-syntax.ts';
import { deepEqual } from './semantic-equal.ts';

/**
 * The error of a field that may not change, if it did. Numbers, texts and lists of texts are shown as release 1.20
 * shows them; for other values pass `shown` (see `renderGo`), which is called only when there is an error.
 */
export function validateImmutableField(
  value: unknown,
  old: unknown,
  path: FieldPath,
  shown: (value: unknown) => unknown = showPlain,
): FieldError[] {
  return deepEqual(value, old) ? [] : [invalidValue(path, shown(value), 'field is immutable')];
}

function showPlain(value: unknown): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return goStringList(value);
  return typeof value === 'object' && value !== null && !(value instanceof VerbatimValue)
    ? new VerbatimValue(JSON.stringify(value))
    : value;
}
