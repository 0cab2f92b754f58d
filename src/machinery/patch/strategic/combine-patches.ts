import { isJsonObject, type JsonObject, ownValue, setOwn } from '../../../base/index.ts';
import { isDeleteDirective, isOrderDirective, retainKeysDirective } from './directives.ts';
import { mergeList } from './merge-list.ts';
import { mergeOrderedLists } from './ordered-lists.ts';
import { enterField, type Scope } from './scope.ts';

/**
 * Two patches towards the same object as one: what the first deletes and the second sets. Directives stay directives,
 * nulls stay nulls. Where both have one they agree, for both were made from the wanted object.
 *
 * @throws PatchError `list-of-lists` or `not-mergeable`.
 */
export function combinePatches(deletions: JsonObject, changes: JsonObject, scope: Scope): JsonObject {
  const result = { ...deletions };
  const done = mergeOrderedLists(result, changes, scope, combinePatches);
  for (const key of Object.keys(changes)) {
    if (done?.has(key)) continue;
    const isDirective = key === retainKeysDirective || isOrderDirective(key) || isDeleteDirective(key);
    setOwn(result, key, isDirective ? changes[key] : combineMember(result, changes, key, scope));
  }
  return result;
}

function combineMember(result: JsonObject, changes: JsonObject, key: string, scope: Scope): unknown {
  const change = changes[key];
  const before = ownValue(result, key);
  if (isJsonObject(before) && isJsonObject(change)) {
    const { strategy, inner } = enterField(scope, key);
    return strategy === 'replace' ? change : combinePatches(before, change, inner);
  }
  if (Array.isArray(before) && Array.isArray(change)) {
    const field = enterField(scope, key);
    return field.strategy === 'merge' ? mergeList(before, change, field, combinePatches) : change;
  }
  return change;
}
