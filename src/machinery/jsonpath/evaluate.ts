import { isJsonObject } from '../../base/index.ts';
import { type FilterOperator, JsonPathError, type Operand, type Step, type TemplateNode } from './syntax.ts';

/** How missing fields are taken. */
export interface EvaluateOptions {
  /** Missing fields yield nothing instead of an error. */
  readonly allowsMissing: boolean;
}

/** Values found by each path or text of a template, ranges unrolled; texts are marked as such. */
export type Found =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'values'; readonly values: readonly unknown[] };

/** Evaluates a template against an object. @throws JsonPathError */
export function evaluateTemplate(
  nodes: readonly TemplateNode[],
  root: unknown,
  options: EvaluateOptions,
): Found[] {
  return evaluateNodes(nodes, root, { ...options, root });
}

/** All values that a path finds from `current`. @throws JsonPathError */
function evaluateSteps(
  steps: readonly Step[],
  current: unknown,
  context: EvaluateOptions & { readonly root: unknown },
): readonly unknown[] {
  let values: readonly unknown[] = [current];
  for (const step of steps) values = applyStep(step, values, { ...context, current });
  return values;
}

interface Context extends EvaluateOptions {
  readonly root: unknown;
  readonly current: unknown;
}

function evaluateNodes(
  nodes: readonly TemplateNode[],
  current: unknown,
  context: EvaluateOptions & { readonly root: unknown },
): Found[] {
  return nodes.flatMap((node): Found[] => {
    if (node.kind === 'text') return [node];
    const values = evaluateSteps(node.steps, current, context);
    if (node.kind === 'path') return [{ kind: 'values', values }];
    return values.flatMap((value) => evaluateNodes(node.body, value, context));
  });
}

function applyStep(step: Step, values: readonly unknown[], context: Context): readonly unknown[] {
  switch (step.kind) {
    case 'root':
      return [context.root];
    case 'current':
      return [context.current];
    case 'field':
      return values.flatMap((value) => readField(value, step.name, context));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap((value) => descendantsOf(value));
    case 'slice':
      return values.flatMap((value) => readSlice(value, step, context));
    case 'union':
      return step.members.flatMap((member) =>
        values.flatMap((value) => evaluateSteps(member, value, context)),
      );
    case 'filter':
      return values.flatMap((value) => readFiltered(value, step, context));
  }
}

function readField(value: unknown, name: string, { allowsMissing }: Context): readonly unknown[] {
  if (isJsonObject(value) && Object.hasOwn(value, name)) {
    return [(value as Record<string, unknown>)[name]]; // an own key of a plain object
  }
  if (allowsMissing) return [];
  throw new JsonPathError(`${name} is not found`);
}

function readSlice(
  value: unknown,
  step: Step & { kind: 'slice' },
  { allowsMissing }: Context,
): readonly unknown[] {
  if (!Array.isArray(value)) {
    if (allowsMissing || value === null || value === undefined) return [];
    throw new JsonPathError(`${JSON.stringify(value)} is not array or slice`);
  }
  const isIndex = step.step === 0;
  const from = resolveIndex(step.start ?? 0, value.length);
  const to = resolveIndex(step.end ?? value.length, value.length, step.end === 0 && isIndex);
  if (isIndex) {
    if (value.length === 0 && allowsMissing) return [];
    if (from < 0 || from >= value.length) {
      if (allowsMissing && value.length === 0) return [];
      throw new JsonPathError(`array index out of bounds: index ${step.start ?? 0}, length ${value.length}`);
    }
    return [value[from]];
  }
  const stride = step.step ?? 1;
  if (stride < 1) throw new JsonPathError(`step must be > 0`);
  const picked: unknown[] = [];
  for (let index = Math.max(from, 0); index < Math.min(to, value.length); index += stride)
    picked.push(value[index]);
  return picked;
}

function resolveIndex(index: number, length: number, isPastEnd = false): number {
  if (isPastEnd) return length;
  return index < 0 ? index + length : index;
}

function readFiltered(value: unknown, step: Step & { kind: 'filter' }, context: Context): readonly unknown[] {
  const items = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null
      ? childrenOf(value)
      : [];
  return items.filter((item) => {
    const left = operandValues(step.left, item, context);
    if (step.operator === 'exists' || step.right === undefined) return left.length > 0;
    const right = operandValues(step.right, item, context);
    if (left.length === 0 || right.length === 0) return false;
    if (left.length > 1 || right.length > 1)
      throw new JsonPathError('can only compare one element at a time');
    return compare(left[0], right[0], step.operator);
  });
}

function operandValues(operand: Operand, item: unknown, context: Context): readonly unknown[] {
  if (operand.kind === 'constant') return [operand.value];
  return evaluateSteps(operand.steps, item, { root: context.root, allowsMissing: true });
}

function compare(left: unknown, right: unknown, operator: FilterOperator): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  const isOrdered =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string');
  if (!isOrdered) throw new JsonPathError('incompatible types for comparison');
  const [a, b] = [left, right] as [string, string]; // both are text or both are numbers, which order alike
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  const map = value as Record<string, unknown>; // a non-null object that is no array
  return Object.keys(map)
    .sort()
    .map((key) => map[key]);
}

/** The value and everything below it that can have fields, parents first. */
function descendantsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...childrenOf(value).flatMap(descendantsOf)];
}
