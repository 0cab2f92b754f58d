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
import { enterField, rootScope, type Scope } from './scope.ts';

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
 * object does not have yet is taken from the patch as it stands, nulls and directives included; decode the result.
 *
 * @throws PatchError `bad-patch` for malformed directives, `list-of-lists`, `not-mergeable` for other faults.
 */
export function applyStrategicMergePatch(
  current: unknown,
  patch: JsonObject,
  type: CompiledType,
  catalog: TypeCatalog,
): JsonObject {
  return mergeObject(isJsonObject(current) ? current : {}, patch, rootScope(type, catalog));
}

function mergeObject(original: JsonObject, patch: JsonObject, scope: Scope): JsonObject {
  if (Object.hasOwn(patch, patchDirective)) return followPatchDirective(patch);
  const result = { ...original };
  retainKeys(result, patch);
  const done = mergeOrderedLists(result, patch, scope, mergeObject);
  for (const key of Object.keys(patch)) {
    if (key === retainKeysDirective || isOrderDirective(key) || done?.has(key)) continue;
    if (isDeleteDirective(key)) deleteFromList(result, deletedField(key) || key, patch[key], scope);
    else mergeMember(result, key, patch[key], scope);
  }
  return result;
}

function followPatchDirective(patch: JsonObject): JsonObject {
  const { [patchDirective]: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw badPatchType(directive, patch);
}

function mergeMember(result: JsonObject, key: string, change: unknown, scope: Scope): void {
  if (change === null) {
    delete result[key];
    return;
  }
  const before = ownValue(result, key);
  if (isJsonObject(change) && isJsonObject(before)) {
    const { strategy, inner } = enterField(scope, key);
    setOwn(result, key, strategy === 'replace' ? change : mergeObject(before, change, inner));
  } else if (Array.isArray(change) && Array.isArray(before)) {
    const field = enterField(scope, key);
    setOwn(result, key, field.strategy === 'merge' ? mergeList(before, change, field, mergeItems) : change);
  } else setOwn(result, key, change);
}

/** The field's strategy does not matter here; only lists lose items, and a null the whole field. */
function deleteFromList(result: JsonObject, key: string, items: unknown, scope: Scope): void {
  if (items === null) delete result[key];
  const before = ownValue(result, key);
  if (!Array.isArray(before) || !Array.isArray(items)) return;
  setOwn(result, key, deleteScalars(before, items, enterField(scope, key), mergeItems));
}

const mergeItems: MergeItems = mergeObject;
