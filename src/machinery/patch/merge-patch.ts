import { isJsonObject, type JsonObject, ownValue, setOwn } from '../../base/index.ts';
import { checkDepth } from './json-value.ts';
import { PatchError } from './patch-error.ts';

/**
 * A merge patch from a parsed request body.
 *
 * @throws PatchError `bad-patch` unless it is an object: API objects cannot become anything else.
 */
export function parseMergePatch(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw new PatchError('bad-patch', 'Invalid JSON Patch');
  return body;
}

/**
 * The document after a merge patch (RFC 7396): objects merge, null removes, everything else replaces. As in
 * evanphx/json-patch 4, nulls are also taken out of lists, unless a list replaces an object. Neither argument is
 * changed; the result shares what it can with both.
 *
 * @throws PatchError `bad-patch` when the patch nests too deep.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  return merge(document, patch, 0);
}

function merge(target: unknown, patch: unknown, depth: number): unknown {
  checkDepth(depth);
  if (!isJsonObject(target)) return withoutNulls(patch, depth);
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = { ...target };
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === null) delete result[key];
    else setOwn(result, key, merge(ownValue(result, key), change, depth + 1));
  }
  return result;
}

/** The value without the members and items that are null, at any depth; itself when it has none. */
function withoutNulls(value: unknown, depth: number): unknown {
  checkDepth(depth);
  if (Array.isArray(value)) {
    const kept = value.filter((item) => item !== null);
    const pruned = kept.map((item) => withoutNulls(item, depth + 1));
    return kept.length === value.length && pruned.every((item, at) => item === kept[at]) ? value : pruned;
  }
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  let isSame = true;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const pruned = member === null ? null : withoutNulls(member, depth + 1);
    isSame &&= pruned !== null && pruned === member;
    if (pruned !== null) setOwn(result, key, pruned);
  }
  return isSame ? value : result;
}
