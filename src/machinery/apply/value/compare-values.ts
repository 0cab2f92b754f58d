import { asJsonObject, asList, isRawNumber } from '../../../base/index.ts';
import { sortedKeys } from '../../schema/index.ts';

/** Order of kinds of value, as structured-merge-diff sorts the values of keys and sets. */
const rankOf = (value: unknown): number => {
  if (typeof value === 'number' || isRawNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (Array.isArray(value)) return 3;
  return value === null || value === undefined ? 5 : 4;
};

/**
 * Total order of JSON values: numbers by value, then texts by their bytes, booleans, lists, objects, null.
 * Negative, zero or positive, as `Array.sort` wants it.
 */
export function compareValues(left: unknown, right: unknown): number {
  const rank = rankOf(left);
  const other = rankOf(right);
  if (rank !== other) return rank - other;
  // The rank says what both values are.
  switch (rank) {
    case 0:
      return compareNumbers(left, right);
    case 1:
      return compareTexts(String(left), String(right));
    case 2:
      return Number(left) - Number(right);
    case 3:
      return compareLists(asList(left), asList(right));
    case 4:
      return compareObjects(asJsonObject(left), asJsonObject(right));
    default:
      return 0;
  }
}

/** Order of texts by their UTF-8 bytes, which is the order of their code points. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // Only where a surrogate meets another unit does the order of units differ from that of code points.
    if (a >= 0xd800 && b >= 0xd800) return Buffer.compare(Buffer.from(left), Buffer.from(right));
    return a - b;
  }
  return left.length - right.length;
}

/** Whole numbers beyond a double's reach are compared digit by digit. */
export function compareNumbers(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const a = integerOf(left);
  const b = integerOf(right);
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : 0;
  return doubleOf(left) - doubleOf(right);
}

function integerOf(value: unknown): bigint | undefined {
  const text = isRawNumber(value) ? value.rawJSON : undefined;
  if (text !== undefined) return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

const doubleOf = (value: unknown): number => Number(isRawNumber(value) ? value.rawJSON : value);

function compareLists(left: readonly unknown[], right: readonly unknown[]): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(left[index], right[index]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Objects as lists of their entries, sorted by name. */
function compareObjects(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): number {
  const names = sortedKeys(left);
  const others = sortedKeys(right);
  const length = Math.min(names.length, others.length);
  for (let index = 0; index < length; index++) {
    const name = names[index] ?? '';
    const other = others[index] ?? '';
    const order = compareTexts(name, other) || compareValues(left[name], right[other]);
    if (order !== 0) return order;
  }
  return names.length - others.length;
}
