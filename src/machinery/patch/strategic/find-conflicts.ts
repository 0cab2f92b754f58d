import { isJsonObject, type JsonObject } from '../../../base/index.ts';
import { jsonEqual } from '../json-value.ts';
import { isDeleteDirective, isOrderDirective, patchDirective, retainKeysDirective } from './directives.ts';
import { formatGo } from './go-text.ts';
import { keyOf } from './merge-key.ts';
import { elementKind } from './merge-list.ts';
import { enterField, type FieldScope, type Scope } from './scope.ts';

/**
 * Fields that two patches from the same object set to different values, such as `spec.containers[name=c].image`; none
 * when they can follow one another in any order. Merged scalars never conflict, nor does one order with another.
 *
 * @throws PatchError `list-of-lists` or `not-mergeable`.
 */
export function findConflicts(patch: JsonObject, other: JsonObject, scope: Scope): readonly string[] {
  const conflicts: string[] = [];
  inObjects({ patch, other, path: '' }, scope, conflicts);
  return conflicts;
}

interface Pair<T> {
  readonly patch: T;
  readonly other: T;
  readonly path: string;
}

function inObjects({ patch, other, path }: Pair<JsonObject>, scope: Scope, found: string[]): void {
  // A directive is about the whole object.
  if (!jsonEqual(patch[patchDirective], other[patchDirective])) {
    found.push(path);
    return;
  }
  for (const key of Object.keys(patch)) {
    if (!Object.hasOwn(other, key) || isAside(key)) continue;
    const pair = { patch: patch[key], other: other[key], path: path === '' ? key : `${path}.${key}` };
    inValues(pair, enterField(scope, key), found);
  }
}

const isAside = (key: string): boolean =>
  key === patchDirective || key === retainKeysDirective || isOrderDirective(key) || isDeleteDirective(key);

function inValues({ patch, other, path }: Pair<unknown>, field: FieldScope, found: string[]): void {
  if (isJsonObject(patch) && isJsonObject(other)) {
    if (field.strategy !== 'replace') inObjects({ patch, other, path }, field.inner, found);
  } else if (Array.isArray(patch) && Array.isArray(other)) {
    inLists({ patch, other, path }, field, found);
  } else if (!jsonEqual(patch, other)) found.push(path);
}

function inLists(pair: Pair<readonly unknown[]>, field: FieldScope, found: string[]): void {
  const { patch, other, path } = pair;
  if (patch.length === 0 && other.length === 0) return;
  const kind = elementKind(patch, other);
  if (field.strategy === 'merge') {
    if (kind === 'object') inMergedItems(pair, field, found);
  } else if (patch.length !== other.length) found.push(path);
  else if (kind === 'scalar') {
    if (sortedTexts(patch) !== sortedTexts(other)) found.push(path);
  } else inPlacedItems(pair, field, found);
}

/** Items are compared by key. */
function inMergedItems(
  { patch, other, path }: Pair<readonly unknown[]>,
  { mergeKey = '', inner }: FieldScope,
  found: string[],
): void {
  const others = new Map(other.map((item) => [keyOf(item, mergeKey), item]));
  for (const item of patch) {
    const key = keyOf(item, mergeKey);
    const counterpart = others.get(key);
    if (!isJsonObject(item) || !isJsonObject(counterpart)) continue;
    const itemPath = `${path}[${mergeKey}=${formatGo(key)}]`;
    inObjects({ patch: item, other: counterpart, path: itemPath }, inner, found);
  }
}

/** Items are compared by place. Both lists are of objects and equally long. */
function inPlacedItems(
  { patch, other, path }: Pair<readonly unknown[]>,
  { inner }: FieldScope,
  found: string[],
): void {
  patch.forEach((item, at) => {
    const counterpart = other[at];
    if (!isJsonObject(item) || !isJsonObject(counterpart)) return;
    inObjects({ patch: item, other: counterpart, path: `${path}[${at}]` }, inner, found);
  });
}

/** Scalars without their order and repetitions. */
const sortedTexts = (list: readonly unknown[]): string =>
  JSON.stringify([...new Set(list.map((item) => formatGo(item)))].sort());
