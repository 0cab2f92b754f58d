import { ownValue } from '../../base/index.ts';
import { compareQuantities, parseQuantity, QuantityError } from '../../machinery/values/index.ts';

/** Says of a field whose values differ whether they mean the same nevertheless. */
type Excuse = (field: string, a: unknown, b: unknown) => boolean;

/**
 * True when two values of a built-in kind's object mean the same: an absent field, null, an empty list and an empty map are
 * one, and so are amounts of resources in other units. The order of map keys does not count, the order of lists does.
 */
export const deepEqual = (a: unknown, b: unknown): boolean => equal(a, b, meansSameAmounts);

/** As `deepEqual`, for objects of which no field is known: an amount is a text like others there. */
export const deepEqualUntyped = (a: unknown, b: unknown): boolean => equal(a, b, () => false);

function equal(a: unknown, b: unknown, excuse: Excuse): boolean {
  if (a === b) return true;
  if (isEmpty(a)) return isEmpty(b);
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, excuse);
  if (!isMap(a) || !isMap(b) || Array.isArray(b)) return false;
  return equalMaps(a, b, excuse);
}

/** Fields that are amounts by resource, wherever they are maps. */
const amountFields: ReadonlySet<string> = new Set([
  'allocatable',
  'capacity',
  'hard',
  'limits',
  'overhead',
  'podFixed',
  'requests',
  'used',
]);

/** Structures of which one field is an amount. */
const amountIn: Readonly<Record<string, string>> = { emptyDir: 'sizeLimit', resourceFieldRef: 'divisor' };

function meansSameAmounts(field: string, a: unknown, b: unknown): boolean {
  const only = ownValue(amountIn, field);
  if ((only === undefined && !amountFields.has(field)) || !isMap(a) || !isMap(b)) return false;
  return Object.keys({ ...a, ...b }).every((name) => {
    const isAmount = only === undefined || only === name;
    return deepEqualUntyped(a[name], b[name]) || (isAmount && isSameAmount(a[name], b[name]));
  });
}

function isSameAmount(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  try {
    return compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
  } catch (error) {
    // A field of the same name that holds something else.
    if (error instanceof QuantityError) return false;
    throw error;
  }
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

function equalLists(a: readonly unknown[], b: readonly unknown[], excuse: Excuse): boolean {
  return a.length === b.length && a.every((item, at) => equal(item, b[at], excuse));
}

function equalMaps(a: Record<string, unknown>, b: Record<string, unknown>, excuse: Excuse): boolean {
  let shared = 0;
  for (const key in a) {
    const isShared = Object.hasOwn(b, key);
    if (isShared) shared++;
    const other = isShared ? b[key] : undefined;
    if (!equal(a[key], other, excuse) && !excuse(key, a[key], other)) return false;
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
