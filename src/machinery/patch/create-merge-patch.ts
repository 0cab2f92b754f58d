import { isJsonObject, type JsonObject, ownValue, setOwn } from '../../base/index.ts';
import { checkDepth, jsonEqual } from './json-value.ts';

/**
 * The smallest merge patch that turns `from` into `to`; `{}` when they are the same. A merge patch cannot set null,
 * so members of `to` that are null count as absent. The result may share parts of `to`.
 *
 * @throws PatchError `bad-patch` for documents that nest too deep.
 */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  return combine(changes(from, to, withoutNulls, 0), removals(from, to, 0), 0);
}

/** What a three-way patch is made from. */
export interface ThreeWayDocuments {
  /** What the caller applied last time. */
  readonly original: JsonObject;
  /** What the caller wants now. */
  readonly modified: JsonObject;
  /** What the server has. */
  readonly current: JsonObject;
}

/**
 * The merge patch of client-side apply: sets what `modified` says otherwise than `current`, removes what `original`
 * had and `modified` no longer has, or says to be null now, and leaves alone what others have added to `current`.
 *
 * @throws PatchError `bad-patch` for documents that nest too deep.
 */
export function createThreeWayMergePatch({ original, modified, current }: ThreeWayDocuments): JsonObject {
  const wishes = combine(changes(current, modified, withoutAnyNulls, 0), removals(original, modified, 0), 0);
  return combine(wishes, wishedRemovals(original, modified, 0), 0);
}

/** Takes nulls out of a value that is set as a whole. */
type Clean = (value: unknown, depth: number) => unknown;

/** Members of `to` that are new or different, nested objects reduced to their differences. */
function changes(from: JsonObject, to: JsonObject, clean: Clean, depth: number): JsonObject {
  checkDepth(depth);
  const patch: JsonObject = {};
  for (const key of Object.keys(to)) {
    const wanted = to[key];
    const present = ownValue(from, key);
    if (wanted === null || wanted === undefined) continue;
    if (isJsonObject(wanted) && isJsonObject(present)) {
      const inner = changes(present, wanted, clean, depth + 1);
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    } else if (!jsonEqual(present, wanted)) setOwn(patch, key, clean(wanted, depth + 1));
  }
  return patch;
}

/** Null for every member of `from` that `to` has not. */
function removals(from: JsonObject, to: JsonObject, depth: number): JsonObject {
  checkDepth(depth);
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) {
    const old = from[key];
    const kept = ownValue(to, key) ?? null;
    if (old === null || old === undefined) continue;
    if (kept === null) setOwn(patch, key, null);
    else if (isJsonObject(old) && isJsonObject(kept)) {
      const inner = removals(old, kept, depth + 1);
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    }
  }
  return patch;
}

/** Null for every member that is null in `to` and was not before: that is how a file takes away what others set. */
function wishedRemovals(from: JsonObject, to: JsonObject, depth: number): JsonObject {
  checkDepth(depth);
  const patch: JsonObject = {};
  for (const key of Object.keys(to)) {
    const wanted = to[key];
    const old = ownValue(from, key);
    if (wanted === null && old !== null) setOwn(patch, key, null);
    if (!isJsonObject(wanted)) continue;
    const inner = wishedRemovals(isJsonObject(old) ? old : {}, wanted, depth + 1);
    if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
  }
  return patch;
}

/** Both patches in one. They agree wherever both speak of a member. */
function combine(first: JsonObject, second: JsonObject, depth: number): JsonObject {
  checkDepth(depth);
  const result: JsonObject = { ...first };
  for (const key of Object.keys(second)) {
    const a = ownValue(first, key);
    const b = second[key];
    setOwn(result, key, isJsonObject(a) && isJsonObject(b) ? combine(a, b, depth + 1) : (b ?? a ?? null));
  }
  return result;
}

/** An object that is set as a whole must not carry nulls: there they would remove, not set. */
function withoutNulls(value: unknown, depth: number): unknown {
  if (!isJsonObject(value)) return value;
  checkDepth(depth);
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== null && member !== undefined) setOwn(result, key, withoutNulls(member, depth + 1));
  }
  return result;
}

/** The same for items of lists, which the client of release 1.20 cleans when it applies. */
function withoutAnyNulls(value: unknown, depth: number): unknown {
  checkDepth(depth);
  if (Array.isArray(value)) return value.map((item: unknown) => withoutAnyNulls(item, depth + 1));
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== null && member !== undefined) setOwn(result, key, withoutAnyNulls(member, depth + 1));
  }
  return result;
}
