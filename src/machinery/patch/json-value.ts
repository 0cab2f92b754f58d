import { isJsonObject, isRawNumber, type JsonObject } from '../../base/index.ts';
import { PatchError } from './patch-error.ts';

/** Levels of nesting that patches may have; what nests deeper is an attack on the stack. */
const maxDepth = 1000;

/**
 * True when two JSON values are the same; member order does not count. A member that is null differs from none.
 *
 * @throws PatchError `bad-patch` for values that nest too deep.
 */
export function jsonEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  checkDepth(depth);
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, at) => jsonEqual(item, b[at], depth + 1))
    );
  }
  if (isRawNumber(a)) return isRawNumber(b) && a.rawJSON === b.rawJSON;
  return isJsonObject(a) && isJsonObject(b) && equalMembers(a, b, depth + 1);
}

function equalMembers(a: JsonObject, b: JsonObject, depth: number): boolean {
  let count = 0;
  for (const name in a) {
    if (!Object.hasOwn(b, name) || !jsonEqual(a[name], b[name], depth)) return false;
    count++;
  }
  for (const _name in b) count--;
  return count === 0;
}

/** @throws PatchError `bad-patch` below the deepest level. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw new PatchError('bad-patch', 'exceeded max depth');
}
