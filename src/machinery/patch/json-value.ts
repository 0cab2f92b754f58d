import { isRawNumber } from '../schema/json-text.ts';
import { PatchError } from './patch-error.ts';

/** A JSON object, whatever its members. */
export type JsonObject = Record<string, unknown>;

/** Levels of nesting that patches may have; what nests deeper is an attack on the stack. */
const maxDepth = 1000;

/** True for objects, false for lists, null and scalars; a number that is kept as its digits is a scalar. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

/** A member that the object itself has; never something inherited. */
export const ownMember = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Sets a member, also one called `__proto__`, which plain assignment would take for the prototype. */
export function setMember(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

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
