import { isJsonObject, isRawNumber } from '../../../base/index.ts';
import { keyElement, keysElement, type PathElement, valueElement } from '../fieldpath/path-element.ts';
import type { ListView } from './view.ts';

/** A value that does not fit its type; the message is structured-merge-diff's (`.spec.ports: duplicate entries ...`). */
export class TypedError extends Error {
  override readonly name = 'TypedError';
}

/**
 * The path element of an item of a `set` or `map` list.
 *
 * @throws TypedError when the item has none.
 */
export function itemElement(view: ListView, item: unknown): PathElement {
  return view.relation === 'map' ? keyedElement(view, item) : setElement(item);
}

function keyedElement(view: ListView, item: unknown): PathElement {
  if (item === null || item === undefined) {
    throw new TypedError('associative list with keys may not have a null element');
  }
  if (!isJsonObject(item)) {
    throw new TypedError('associative list with keys may not have non-map elements');
  }
  const [only] = view.keys;
  if (only !== undefined && view.keys.length === 1) return keyElement(only, keyValue(view, item, only));
  const keys: Record<string, unknown> = {};
  for (const name of view.keys) keys[name] = keyValue(view, item, name);
  return keysElement(keys);
}

function keyValue(view: ListView, item: Record<string, unknown>, name: string): unknown {
  const value = item[name] ?? (item[name] === null ? null : keyDefault(view, name));
  if (value !== undefined) return value;
  throw new TypedError(
    `associative list with keys has an element that omits key field ${JSON.stringify(name)} (and doesn't have default value)`,
  );
}

const keyDefault = (view: ListView, name: string): unknown =>
  view.element.kind === 'map' ? view.element.fields().get(name)?.keyDefault : undefined;

function setElement(item: unknown): PathElement {
  if (Array.isArray(item)) {
    throw new TypedError('not supported: associative list with lists as elements');
  }
  if (item === null || item === undefined) {
    throw new TypedError("associative list without keys has an element that's an explicit null");
  }
  if (typeof item === 'object' && !isRawNumber(item)) {
    throw new TypedError("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}

/**
 * Items of a `set` or `map` list by their elements, in the list's order.
 *
 * @throws TypedError when an item has no element or two have the same.
 */
export function itemsByElement(view: ListView, list: readonly unknown[]): Map<PathElement, unknown> {
  const items = new Map<PathElement, unknown>();
  for (const item of list) {
    const { size } = items;
    items.set(itemElement(view, item), item);
    if (items.size === size) throw new TypedError('duplicate entries in an associative list');
  }
  return items;
}

/** The list that a value is, if it is one with items. */
export const asItems = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) && value.length > 0 ? value : undefined;

/** The object that a value is, if it is one with members. */
export function asMembers(value: unknown): Record<string, unknown> | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const name in value) if (value[name] !== undefined) return value;
  return undefined;
}
