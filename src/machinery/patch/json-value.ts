import { isJsonObject, isRawNumber } from '../../base/index.ts';
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
  checkDepth(depth);
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, at) => jsonEqual(item, b[at], depth + 1))
    );
  }
  if (isRawNumber(a)) return isRawNumber(b) && a.rawJSON === b.rawJSON;
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key], depth + 1))
  );
}

/** @throws PatchError `bad-patch` below the deepest level. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw new PatchError('bad-patch', 'exceeded max depth');
}
