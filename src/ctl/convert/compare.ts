import { isJsonObject, isRawNumber, ownValue } from '../../base/index.ts';

/** A field that two objects do not have alike. */
export interface Difference {
  /** `spec.rules[0].host`, keys with dots or slashes in brackets. */
  readonly path: string;
  /** Undefined where the first or second object lacks the field. */
  readonly first: unknown;
  readonly second: unknown;
}

/**
 * Where two JSON values differ, topmost fields first in the order of `first`. Lists that hold the same in another
 * order do not differ; other lists are compared item by item where they are equally long. Nulls and empty maps count
 * as absent.
 */
export function compare(first: unknown, second: unknown, path = ''): Difference[] {
  if (isSame(first, second)) return [];
  if (isJsonObject(first) && isJsonObject(second)) {
    const names = new Set([...Object.keys(first), ...Object.keys(second)]);
    return [...names].flatMap((name) =>
      compare(ownValue(first, name), ownValue(second, name), join(path, name)),
    );
  }
  if (Array.isArray(first) && Array.isArray(second) && first.length === second.length) {
    if (isReordered(first, second)) return [];
    return first.flatMap((item, index) => compare(item, second[index], `${path}[${index}]`));
  }
  return [{ path, first: orAbsent(first), second: orAbsent(second) }];
}

/** A field's path below another. */
export function join(path: string, name: string): string {
  if (/[./[\]]/.test(name) || name === '') return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function isSame(first: unknown, second: unknown): boolean {
  if (isRawNumber(first) && isRawNumber(second)) return first.rawJSON === second.rawJSON;
  return first === second || (isEmpty(first) && isEmpty(second));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}

const orAbsent = (value: unknown): unknown => (value === null ? undefined : value);

function isReordered(first: readonly unknown[], second: readonly unknown[]): boolean {
  const texts = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  const others = texts(second);
  return texts(first).every((text, index) => text === others[index]);
}
