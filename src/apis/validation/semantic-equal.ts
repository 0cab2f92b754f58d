/**
 * True when two values of an API object mean the same: an absent field, null, an empty list and an empty map are
 * one. The order of map keys does not count, the order of lists does.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a)) return isEmpty(b);
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (!isMap(a) || !isMap(b) || Array.isArray(b)) return false;
  return equalMaps(a, b);
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isMap(value)) return false;
  for (const _key in value) return false;
  return true;
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => deepEqual(item, b[at]));
}

function equalMaps(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let shared = 0;
  for (const key in a) {
    const isShared = Object.hasOwn(b, key);
    if (isShared) shared++;
    if (!deepEqual(a[key], isShared ? b[key] : undefined)) return false;
  }
  // Mostly both have the same keys: counting them is cheaper than looking each up.
  let left = -shared;
  for (const _key in b) left++;
  if (left === 0) return true;
  for (const key in b) {
    if (!Object.hasOwn(a, key) && !isEmpty(b[key])) return false;
  }
  return true;
}
