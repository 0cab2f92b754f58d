import { isJsonObject, isRawNumber } from '../../../base/index.ts';
import { sortedKeys } from '../../schema/index.ts';
import { compareNumbers } from './compare-values.ts';

/** True when two JSON trees mean the same: numbers by value, order of names irrelevant, `undefined` as absent. */
export function equalValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return isRawNumber(left) || isRawNumber(right) ? areEqualNumbers(left, right) : false;
  }
  if (Array.isArray(left)) return Array.isArray(right) && areEqualLists(left, right);
  if (Array.isArray(right)) return false;
  if (isRawNumber(left) || isRawNumber(right)) return areEqualNumbers(left, right);
  // Both are objects that are neither lists nor numbers.
  return areEqualObjects(left as Record<string, unknown>, right as Record<string, unknown>);
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || isRawNumber(value);

const areEqualNumbers = (left: unknown, right: unknown): boolean =>
  isNumber(left) && isNumber(right) && compareNumbers(left, right) === 0;

function areEqualLists(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    if (!equalValues(left[index], right[index])) return false;
  }
  return true;
}

function areEqualObjects(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  let count = 0;
  for (const name in left) {
    const value = left[name];
    if (value === undefined) continue;
    count++;
    if (!Object.hasOwn(right, name) || !equalValues(value, right[name])) return false;
  }
  for (const name in right) {
    if (right[name] !== undefined) count--;
  }
  return count === 0;
}

/** JSON text of a value with the names of objects sorted: equal values have equal texts. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const parts: string[] = [];
  for (const name of sortedKeys(value)) {
    if (value[name] !== undefined) parts.push(`${JSON.stringify(name)}:${canonicalText(value[name])}`);
  }
  return `{${parts.join(',')}}`;
}
