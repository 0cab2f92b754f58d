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
 * The document after a merge patch (RFC 7396): objects merge, null removes, everything else replaces. Neither
 * argument is changed; the result shares what it can with both.
 *
 * @throws PatchError `bad-patch` when the patch nests too deep.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  return merge(document, patch, 0);
}

function merge(target: unknown, patch: unknown, depth: number): unknown {
  if (!isJsonObject(patch)) return patch;
  checkDepth(depth);
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === null) delete result[key];
    else if (isJsonObject(change)) setOwn(result, key, merge(ownValue(result, key), change, depth + 1));
    else setOwn(result, key, change);
  }
  return result;
}
