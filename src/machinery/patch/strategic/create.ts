import { isJsonObject, type JsonObject, ownValue, setOwn } from '../../../base/index.ts';
import type { CompiledType, TypeCatalog } from '../../schema/catalog.ts';
import type { ThreeWayDocuments } from '../create-merge-patch.ts';
import { diffObjects } from './diff-objects.ts';
import { isDeleteDirective, isOrderDirective, retainKeysDirective } from './directives.ts';
import { findConflicts } from './find-conflicts.ts';
import { mergeList } from './merge-list.ts';
import { mergeOrderedLists } from './ordered-lists.ts';
import { enterField, rootScope, type Scope } from './scope.ts';

/**
 * The strategic merge patch that turns `original` into `modified`, with all directives that this takes; `{}` when they
 * are the same. Neither is changed; the patch may share parts of `modified`. A null in `modified` removes.
 *
 * @throws PatchError `list-of-lists` or `not-mergeable` for merged lists of mixed items or without their key,
 * `bad-patch` for documents that nest too deep.
 */
export function createStrategicMergePatch(
  original: JsonObject,
  modified: JsonObject,
  type: CompiledType,
  catalog: TypeCatalog,
): JsonObject {
  const options = { ignoresDeletions: false, ignoresChanges: false, setsOrder: true };
  return diffObjects(original, modified, rootScope(type, catalog), options);
}

/** How a three-way patch treats what others did. */
export interface ThreeWayOptions {
  /** False: refuse when the live object's changes since `original` say otherwise than the patch. Default true. */
  readonly overwrites?: boolean;
  /** False: new items of merged lists go behind those of others, nothing is sorted. Default true. */
  readonly setsOrder?: boolean;
}

/** The patch would overwrite what others changed. */
export class PatchConflictError extends Error {
  override readonly name = 'PatchConflictError';
  /** The fields, such as `spec.containers[name=c].image`; at least one. */
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super(`the patch conflicts with changes made since the last one: ${fields.join(', ')}`);
    this.fields = fields;
  }
}

/**
 * The strategic merge patch of client-side apply: sets what `modified` says otherwise than `current`, removes what
 * `original` had and `modified` no longer has, and leaves alone what others added to `current`.
 *
 * @throws PatchConflictError when it may not overwrite but would.
 * @throws PatchError as `createStrategicMergePatch` does.
 */
export function createThreeWayStrategicPatch(
  { original, modified, current }: ThreeWayDocuments,
  type: CompiledType,
  catalog: TypeCatalog,
  { overwrites = true, setsOrder = true }: ThreeWayOptions = {},
): JsonObject {
  const scope = rootScope(type, catalog);
  const changes = diffObjects(current, modified, scope, {
    ignoresDeletions: true,
    ignoresChanges: false,
    setsOrder,
  });
  const deletions = diffObjects(original, modified, scope, {
    ignoresDeletions: false,
    ignoresChanges: true,
    setsOrder,
  });
  const patch = combinePatches(deletions, changes, scope);
  if (overwrites) return patch;
  const others = diffObjects(original, current, scope, {
    ignoresDeletions: false,
    ignoresChanges: false,
    setsOrder: false,
  });
  const fields = findConflicts(patch, others, scope);
  if (fields.length > 0) throw new PatchConflictError(fields);
  return patch;
}

/**
 * Two patches towards the same object as one: what the first deletes and the second sets. Directives stay directives,
 * nulls stay nulls. Where both have one they agree, for both were made from the wanted object.
 *
 * @throws PatchError `list-of-lists` or `not-mergeable`.
 */
function combinePatches(deletions: JsonObject, changes: JsonObject, scope: Scope): JsonObject {
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

/**
 * Fields that two patches set to different values, such as `spec.containers[name=c].image`.
 *
 * @throws PatchError `list-of-lists` or `not-mergeable`.
 */
export function findPatchConflicts(
  patch: JsonObject,
  other: JsonObject,
  type: CompiledType,
  catalog: TypeCatalog,
): readonly string[] {
  return findConflicts(patch, other, rootScope(type, catalog));
}
