import { isJsonObject, type JsonObject, ownValue, setOwn } from '../../../base/index.ts';
import type { CompiledType, TypeCatalog } from '../../schema/catalog.ts';
import { PatchError } from '../patch-error.ts';
import {
  badPatchType,
  deletedField,
  isDeleteDirective,
  isOrderDirective,
  patchDirective,
  retainKeys,
  retainKeysDirective,
} from './directives.ts';
import { deleteScalars, type MergeItems, mergeList } from './merge-list.ts';
import { mergeOrderedLists } from './ordered-lists.ts';
import { enterMember, rootScope, type Scope } from './scope.ts';
import type { UsedMembers } from './used-members.ts';

/**
 * A strategic merge patch from a parsed request body; null is one that changes nothing.
 *
 * @throws PatchError `bad-patch` for anything else but an object.
 */
export function parseStrategicMergePatch(body: unknown): JsonObject {
  if (body === null) return {};
  if (isJsonObject(body)) return body;
  const kind = typeof body === 'boolean' ? 'bool' : Array.isArray(body) ? 'array' : typeof body;
  throw new PatchError(
    'bad-patch',
    `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
  );
}

/**
 * The object after a strategic merge patch: objects merge, null removes, lists merge where the type says so, directives
 * are followed. Neither argument is changed; the result shares what it can with both. As in release 1.20, what the
 * object does not have yet is taken from the patch as it stands, nulls and directives included; decode the result. What of
 * the patch was followed is noted in `used`.
 *
 * @throws PatchError `bad-patch` for malformed directives, `list-of-lists`, `not-mergeable` for other faults.
 */
export function applyStrategicMergePatch(
  current: unknown,
  patch: JsonObject,
  type: CompiledType,
  catalog: TypeCatalog,
  used?: UsedMembers,
): JsonObject {
  return mergeObject(isJsonObject(current) ? current : {}, patch, rootScope(type, catalog, used));
}

function mergeObject(original: JsonObject, patch: JsonObject, scope: Scope): JsonObject {
  if (Object.hasOwn(patch, patchDirective)) return followPatchDirective(patch, scope);
  const result = { ...original };
  retainKeys(result, patch);
  if (Object.hasOwn(patch, retainKeysDirective)) scope.used?.add(patch, retainKeysDirective);
  const done = mergeOrderedLists(result, patch, scope, mergeObject);
  for (const key of Object.keys(patch)) {
    if (key === retainKeysDirective || isOrderDirective(key) || done?.has(key)) continue;
    if (!isDeleteDirective(key)) mergeMember(result, key, patch[key], scope, mergeList);
    else mergeMember(result, deletedField(key) || key, patch[key], scope, deleteScalars);
  }
  return result;
}

function followPatchDirective(patch: JsonObject, { used }: Scope): JsonObject {
  const { [patchDirective]: directive, ...rest } = patch;
  if (directive === 'replace') {
    used?.add(patch, patchDirective);
    return rest;
  }
  if (directive === 'delete') return {};
  throw badPatchType(directive, patch);
}

/**
 * `$deleteFromPrimitiveList` differs from the field itself by the way in which lists become one, and only there: where
 * there is none, or the field is no list that merges, it gets what was to be deleted.
 */
function mergeMember(
  result: JsonObject,
  key: string,
  change: unknown,
  scope: Scope,
  mergeLists: typeof mergeList,
): void {
  if (change === null) {
    delete result[key];
    return;
  }
  const before = ownValue(result, key);
  if (isJsonObject(change) && isJsonObject(before)) {
    const { strategy, inner } = enterMember(scope, key, 'object');
    setOwn(result, key, strategy === 'replace' ? change : mergeObject(before, change, inner));
  } else if (Array.isArray(change) && Array.isArray(before)) {
    const field = enterMember(scope, key, 'list');
    setOwn(result, key, field.strategy === 'merge' ? mergeLists(before, change, field, mergeItems) : change);
  } else setOwn(result, key, change);
}

const mergeItems: MergeItems = mergeObject;
