import { isJsonObject } from '../../../base/index.ts';
import { duplicate, type FieldError, type FieldPath, invalidValue } from '../../errors/index.ts';
import { identityOf } from './collections.ts';
import { shownValue } from './go-text.ts';
import type { Structural } from './structural.ts';

/** Adds the errors of lists below a value whose items, by `x-…-list-type`, must differ: sets, and maps by their keys. */
export function validateLists(
  errors: FieldError[],
  value: unknown,
  schema: Structural | undefined,
  path: FieldPath,
): void {
  if (schema?.hasDistinctItems !== true) return;
  if (Array.isArray(value)) {
    if (schema.listType === 'set') errors.push(...duplicates(value, path));
    else if (schema.listType === 'map') validateKeys(errors, value, schema, path);
    if (schema.items === undefined) return;
    for (const [index, item] of value.entries()) validateLists(errors, item, schema.items, path.index(index));
  } else if (isJsonObject(value)) {
    for (const name in value) {
      const property = schema.properties.get(name);
      const below = property === undefined ? path.key(name) : path.child(name);
      validateLists(errors, value[name], property ?? schema.additional, below);
    }
  }
}

function validateKeys(
  errors: FieldError[],
  items: readonly unknown[],
  schema: Structural,
  path: FieldPath,
): void {
  const stranger = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    const detail = 'must be an object for an array of list-type map';
    errors.push(invalidValue(path.index(stranger), shownValue(items[stranger]), detail));
    return;
  }
  const names = schema.listMapKeys;
  const keys = items.map((item) => {
    const own = isJsonObject(item) ? item : {};
    return Object.fromEntries(
      names.filter((name) => Object.hasOwn(own, name)).map((name) => [name, own[name]]),
    );
  });
  errors.push(...duplicates(keys, path));
}

/** An error for each value that is there more than once, at the place where it comes again first. */
function duplicates(values: readonly unknown[], path: FieldPath): FieldError[] {
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, value] of values.entries()) {
    const text = identityOf(value);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    if (times === 1) errors.push(duplicate(path.index(index), shownValue(value)));
  }
  return errors;
}
