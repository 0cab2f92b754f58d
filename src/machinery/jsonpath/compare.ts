import { isRawNumber } from '../../base/index.ts';
import { typeName } from '../go-values/index.ts';
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

function isEqual(left: Side, right: Side): boolean {
  commonType(left, right);
  return (
    left.value === right.value || (isRawNumber(left.value) && Number(left.value) === Number(right.value))
  );
}

function isLess(left: Side, right: Side): boolean {
  if (commonType(left, right) === 'bool') throw new JsonPathError('invalid type for comparison');
  // Two texts or two numbers, which order alike; those that are kept as digits turn into numbers.
  return (left.value as string) < (right.value as string);
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
