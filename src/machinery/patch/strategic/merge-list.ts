import { isJsonObject, type JsonObject, ownValue } from '../../../base/index.ts';
import { PatchError } from '../patch-error.ts';
import { badPatchType, hasPatchDirective, patchDirective } from './directives.ts';
import { orderMerged } from './element-order.ts';
import { formatGo, goTypeOfJson } from './go-text.ts';
import { keyOf } from './merge-key.ts';
import type { FieldScope, Scope } from './scope.ts';
import { goKindOf } from './shape.ts';

/** Merges two items that have the same key. */
export type MergeItems = (original: JsonObject, patch: JsonObject, scope: Scope) => JsonObject;

/**
 * Two lists as one: items of the patch in its order, those that only the original has between them where they stood.
 *
 * @throws PatchError `list-of-lists`, or `not-mergeable` for mixed items, missing keys and unknown directives.
 */
export function mergeList(
  original: readonly unknown[],
  patch: readonly unknown[],
  field: FieldScope,
  mergeItems: MergeItems,
): readonly unknown[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (elementKind(original, patch) === 'scalar') {
    const merged = [...new Set([...original, ...patch])];
    return orderMerged(merged, { patchOrder: patch, liveOrder: original, mergeKey: field.mergeKey });
  }
  const { mergeKey } = field;
  if (mergeKey === undefined) throw noMergeKeyDeclared(field);
  const plain = followItemDirectives(original, patch, mergeKey);
  const merged = mergeByKey(plain.original, plain.patch, { mergeKey, scope: field.inner, mergeItems });
  return orderMerged(merged, { patchOrder: plain.patch, liveOrder: plain.original, mergeKey });
}

/** The list without the given scalars; lists of objects are merged instead, as strategicpatch does. */
export function deleteScalars(
  original: readonly unknown[],
  items: readonly unknown[],
  field: FieldScope,
  mergeItems: MergeItems,
): readonly unknown[] {
  if (original.length === 0 && items.length === 0) return original;
  if (elementKind(original, items) === 'object') return mergeList(original, items, field, mergeItems);
  const deleted = new Set(items);
  return original.filter((item) => !deleted.has(item));
}

/**
 * What the items of both lists are.
 *
 * @throws PatchError when they are not all of one type, are lists, or there are none.
 */
export function elementKind(a: readonly unknown[], b: readonly unknown[]): 'scalar' | 'object' {
  const first = a.length > 0 ? a[0] : b[0];
  if (first === undefined) {
    throw new PatchError('not-mergeable', 'no elements in any of the given slices');
  }
  if (Array.isArray(first)) throw new PatchError('list-of-lists', 'lists of lists are not supported');
  const type = goTypeOfJson(first);
  const isSame = (item: unknown): boolean => goTypeOfJson(item) === type;
  for (const list of [a, b]) {
    if (list.every(isSame)) continue;
    throw new PatchError('not-mergeable', `list element types are not identical: ${formatGo([a, b])}`);
  }
  return isJsonObject(first) ? 'object' : 'scalar';
}

/** For a list of objects that is merged, but without a key. */
export function noMergeKeyDeclared({ inner }: FieldScope): PatchError {
  return new PatchError('not-mergeable', `cannot merge lists without merge key for ${goKindOf(inner.shape)}`);
}

interface Lists {
  readonly original: readonly unknown[];
  readonly patch: readonly unknown[];
}

/** Takes the items with a `$patch` out of the patch and does what they say to the original. */
function followItemDirectives(
  original: readonly unknown[],
  patch: readonly unknown[],
  mergeKey: string,
): Lists {
  if (!patch.some(hasPatchDirective)) return { original, patch };
  const deletedKeys = new Set<unknown>();
  let isReplaced = false;
  for (const item of patch) {
    if (!hasPatchDirective(item)) continue;
    const directive = item[patchDirective];
    if (directive === 'delete') deletedKeys.add(keyOf(item, mergeKey));
    else if (directive === 'replace') isReplaced = true;
    else if (directive === 'merge') {
      throw new PatchError('not-mergeable', 'merging lists cannot yet be specified in the patch');
    } else throw badPatchType(directive, item);
  }
  const plain = patch.filter((item) => !hasPatchDirective(item));
  if (isReplaced) return { original: plain, patch: [] };
  // An item without the key survives here, and is refused later.
  const isKept = (item: unknown): boolean =>
    !isJsonObject(item) || !Object.hasOwn(item, mergeKey) || !deletedKeys.has(ownValue(item, mergeKey));
  return { original: original.filter(isKept), patch: plain };
}

interface KeyedMerge {
  readonly mergeKey: string;
  readonly scope: Scope;
  readonly mergeItems: MergeItems;
}

/** Items of the patch merged into the first of the original's that has their key, new ones behind. */
function mergeByKey(
  original: readonly unknown[],
  patch: readonly unknown[],
  { mergeKey, scope, mergeItems }: KeyedMerge,
): JsonObject[] {
  // Both casts hold: the caller saw that all items are objects.
  const merged = [...original] as JsonObject[];
  const places = new Map<unknown, number>();
  merged.forEach((item, place) => {
    if (Object.hasOwn(item, mergeKey) && !places.has(item[mergeKey])) places.set(item[mergeKey], place);
  });
  for (const item of patch as readonly JsonObject[]) {
    const key = keyOf(item, mergeKey);
    const place = places.get(key);
    const before = place === undefined ? undefined : merged[place];
    if (place === undefined || before === undefined) places.set(key, merged.push(item) - 1);
    else merged[place] = mergeItems(before, item, scope);
  }
  return merged;
}
