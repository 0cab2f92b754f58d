import { type JsonNumber, toDouble, toInteger, typeName } from '../go-values/index.ts';
import { JsonPathError, type Step } from './syntax.ts';

/** A side of a comparison: a value, and the step that gave it. */
export interface Side {
  readonly value: unknown;
  readonly step: Step | undefined;
}

/** Compares two sides of one type, as templates of Go do. @throws JsonPathError for others, and for an unknown operator. */
export function compareSides(left: Side, operator: string, right: Side): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return isLess(left, right);
    case '<=':
      return isLess(left, right) || isEqual(left, right);
    case '>':
      return !(isLess(left, right) || isEqual(left, right));
    case '>=':
      return !isLess(left, right);
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

const isEqual = (left: Side, right: Side): boolean => orderOf(left, right) === 0;

function isLess(left: Side, right: Side): boolean {
  if (commonType(left, right) === 'bool') throw new JsonPathError('invalid type for comparison');
  return orderOf(left, right) < 0;
}

/** Below 0, 0 or above 0: texts by their bytes, integers exactly. */
function orderOf(left: Side, right: Side): number {
  const type = commonType(left, right);
  if (type === 'string')
    return Buffer.compare(Buffer.from(String(left.value)), Buffer.from(String(right.value)));
  if (type === 'bool') return Number(left.value) - Number(right.value);
  // The other types are those of numbers.
  const numbers = [left.value as JsonNumber, right.value as JsonNumber] as const;
  const [a, b] = type === 'int64' ? numbers.map(toInteger) : numbers.map(toDouble);
  if (a === undefined || b === undefined || a === b) return 0;
  return a < b ? -1 : 1;
}

function commonType(left: Side, right: Side): string {
  const [a, b] = [basicType(left), basicType(right)];
  if (a !== b) throw new JsonPathError('incompatible types for comparison');
  return a;
}

/** Whole numbers and fractions are of two types, and `2.0` in a template is no whole number. */
function basicType({ value, step }: Side): string {
  if (step?.kind === 'number' && !step.isWhole) return 'float64';
  const type = typeName(value);
  if (type === '<nil>' || type.endsWith('{}')) throw new JsonPathError('invalid type for comparison');
  return type;
}
