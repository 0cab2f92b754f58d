import { isJsonObject, type JsonObject } from '../../../base/index.ts';
import { duplicate, type FieldError, type FieldPath, invalidValue } from '../../errors/index.ts';
import { identityOf, stepsOfLookup } from './collections.ts';
import type { Effort } from './findings.ts';
import { shownValue } from './go-text.ts';
import type { Structural } from './structural.ts';

/** Adds the errors of lists below a value whose items, by `x-…-list-type`, must differ: sets, and maps by their keys. */
export function validateLists(
  errors: FieldError[],
  value: unknown,
  schema: Structural | undefined,
  path: FieldPath,
  effort: Effort,
): void {
  if (schema?.hasDistinctItems !== true) return;
  if (Array.isArray(value)) {
    if (schema.listType === 'set') validateSet(errors, value, path, effort);
    else if (schema.listType === 'map') validateKeys(errors, value, schema, path, effort);
    const { items } = schema;
    if (items?.hasDistinctItems !== true) return;
    for (const [index, item] of value.entries()) {
      if (!effort.spend(1)) return;
      validateLists(errors, item, items, path.index(index), effort);
    }
  } else if (isJsonObject(value)) {
    for (const name in value) {
      if (!effort.spend(1)) return;
      const property = schema.properties.get(name);
      const below = property === undefined ? path.key(name) : path.child(name);
      validateLists(errors, value[name], property ?? schema.additional, below, effort);
    }
  }
}

function validateSet(errors: FieldError[], items: readonly unknown[], path: FieldPath, effort: Effort): void {
  const textOf = (item: unknown) => (effort.spendOn(item) ? identityOf(item) : undefined);
  findDuplicates(errors, items, { textOf, partOf: (item) => item }, path, effort);
}

function validateKeys(
  errors: FieldError[],
  items: readonly unknown[],
  schema: Structural,
  path: FieldPath,
  effort: Effort,
): void {
  const stranger = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    if (!effort.spendOn(items[stranger])) return;
    const detail = 'must be an object for an array of list-type map';
    errors.push(invalidValue(path.index(stranger), shownValue(items[stranger]), detail));
    return;
  }
  const names = schema.listMapKeys;
  const keysOf = (item: unknown): JsonObject => {
    const own = isJsonObject(item) ? item : {};
    return Object.fromEntries(
      names.filter((name) => Object.hasOwn(own, name)).map((name) => [name, own[name]]),
    );
  };
  const textOf = (item: unknown): string | undefined => {
    const own = isJsonObject(item) ? item : {};
    let text = '';
    for (const name of names) {
      const value = Object.hasOwn(own, name) ? own[name] : undefined;
      if (!effort.spend(stepsOfKey) || !effort.spendOn(value)) return undefined;
      const part = value === undefined ? '' : identityOf(value);
      text += `${part.length} ${part}`;
    }
    return text;
  };
  findDuplicates(errors, items, { textOf, partOf: keysOf }, path, effort);
}

const stepsOfKey = 1;

/** What is compared of items. */
interface Comparison {
  /** Alike for those that are the same; undefined when that would cost too much. */
  textOf(item: unknown): string | undefined;
  /** What an error shows. */
  partOf(item: unknown): unknown;
}

/** Adds an error for each item that is there more than once, at the place where it comes again first. */
function findDuplicates(
  errors: FieldError[],
  items: readonly unknown[],
  { textOf, partOf }: Comparison,
  path: FieldPath,
  effort: Effort,
): void {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = effort.spend(stepsOfLookup) ? textOf(item) : undefined;
    if (text === undefined) return;
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    if (times !== 1) continue;
    const error = duplicate(path.index(index), shownValue(partOf(item)));
    if (!effort.spend(stepsOfError) || !effort.spendOn(String(error))) return;
    errors.push(error);
  }
}

/** Telling of an error costs as much as so many other steps, beside its text. */
const stepsOfError = 20;
