import { isJsonObject } from '../../base/index.ts';
import { showValue, typeName } from '../go-values/index.ts';
import { compareSides } from './compare.ts';
import { type FilterStep, JsonPathError, type SliceStep, type Step } from './syntax.ts';

interface StepOptions {
  /** Fields that no value has yield nothing instead of an error. */
  readonly allowsMissing: boolean;
}

/** Applies a step to all values that were found before it. @throws JsonPathError */
export function applyStep(step: Step, values: readonly unknown[], options: StepOptions): readonly unknown[] {
  switch (step.kind) {
    case 'text':
      return [step.text];
    case 'number':
    case 'truth':
      return values.map(() => step.value);
    case 'word':
      throw new JsonPathError(`unrecognized identifier ${step.word}`);
    case 'field':
      return readField(step.name, values, options);
    case 'wildcard':
      return values.flatMap(partsOf);
    case 'recursive':
      return values.flatMap(descendantsOf);
    case 'slice':
      return values.flatMap((value) => readSlice(value, step));
    case 'union':
      return step.members.flatMap((member) => applySteps(member, values, options));
    case 'filter':
      return values.flatMap((value) => readFiltered(value, step, options));
  }
}

function applySteps(
  steps: readonly Step[],
  values: readonly unknown[],
  options: StepOptions,
): readonly unknown[] {
  return steps.reduce((found, step) => applyStep(step, found, options), values);
}

/** One value that has the field is enough. */
function readField(name: string, values: readonly unknown[], { allowsMissing }: StepOptions): unknown[] {
  const found = values
    .filter((value) => isJsonObject(value))
    .filter((value) => Object.hasOwn(value, name))
    .map((value) => value[name]);
  if (found.length === 0 && values.length > 0 && !allowsMissing)
    throw new JsonPathError(`${name} is not found`);
  return found;
}

function readSlice(value: unknown, step: SliceStep): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new JsonPathError(`${typeName(value)} is not array or slice`);
  const { length } = value;
  const { start = 0, end = length, stride = 1, isIndex } = step;
  const from = start < 0 ? start + length : start;
  const to = end < 0 || (end === 0 && isIndex) ? end + length : end;
  if (from === to) return [];
  checkIndex(from, from >= length || from < 0, length);
  checkIndex(to - 1, to > length || to < 0, length);
  if (from > to) throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
  if (stride <= 0) throw new JsonPathError('step must be > 0');
  return value.slice(from, to).filter((_, index) => index % stride === 0);
}

function checkIndex(index: number, isOutside: boolean, length: number): void {
  if (isOutside) throw new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
}

function readFiltered(value: unknown, step: FilterStep, options: StepOptions): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new JsonPathError(`${showValue(value)} is not array or slice and cannot be filtered`);
  }
  if (step.operator === 'exists') return value.filter((item) => exists(item, step.left));
  return value.filter((item) => {
    const left = sideOf(item, step.left, options);
    const right = left === undefined ? undefined : sideOf(item, step.right, options);
    return left !== undefined && right !== undefined && compareSides(left, step.operator, right);
  });
}

/** What cannot be looked into, such as a list that is too short, is there all the same. */
function exists(item: unknown, steps: readonly Step[]): boolean {
  try {
    return applySteps(steps, [item], { allowsMissing: true }).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return true;
    throw error;
  }
}

/** Undefined when there is none. */
function sideOf(item: unknown, steps: readonly Step[], options: StepOptions) {
  const found = applySteps(steps, [item], options);
  if (found.length > 1) throw new JsonPathError('can only compare one element at a time');
  return found.length === 0 ? undefined : { value: found[0], step: steps.at(-1) };
}

/** Values of an object, elements of a list; of a text its bytes. */
function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...Buffer.from(value)];
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((key) => value[key]);
}

/** The value and everything below it that has parts, parents first. */
function descendantsOf(value: unknown): readonly unknown[] {
  // Its bytes, of which there may be millions, have none.
  if (typeof value === 'string') return value === '' ? [] : [value];
  const parts = partsOf(value);
  return parts.length === 0 ? [] : [value, ...parts.flatMap(descendantsOf)];
}
