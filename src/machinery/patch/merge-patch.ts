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
 * evanphx/json-patch 4, nulls are also taken out of lists, unless a list replaces an object, and the members of all that
 * the patch has are sorted by name. Neither argument is changed; the result shares what the patch does not touch.
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
  const result: JsonObject = {};
  for (const key of [...new Set([...Object.keys(target), ...Object.keys(patch)])].sort()) {
    const change = ownValue(patch, key);
    if (change === undefined) setOwn(result, key, target[key]);
    else if (change !== null) setOwn(result, key, merge(ownValue(target, key), change, depth + 1));
  }
  return result;
}

/** The value without the members and items that are null, at any depth. */
function withoutNulls(value: unknown, depth: number): unknown {
  checkDepth(depth);
  if (Array.isArray(value)) {
    return value.filter((item) => item !== null).map((item) => withoutNulls(item, depth + 1));
  }
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    if (value[key] !== null) setOwn(result, key, withoutNulls(value[key], depth + 1));
  }
  return result;
}
