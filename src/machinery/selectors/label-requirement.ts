import { quoteGo } from '../errors/index.ts';
import { isLabelValue, isQualifiedName } from '../formats/index.ts';
import { parseInt64 } from '../go-values/index.ts';
import { SelectorError } from './selector-error.ts';

/** Operators of the query syntax; `exists` and `!` take no value. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

/** One condition on one label, checked and ready to match. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted; as often as they were given. */
  readonly values: readonly string[];
  /** True when an object with these labels meets the condition. */
  matches(labels: Readonly<Record<string, string>>): boolean;
}

/** Makes a condition. @throws SelectorError when key, number of values or a value do not fit. */
export function createLabelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  checkLabelKey(key);
  checkValues(operator, values);
  for (const value of values) checkLabelValue(key, value);
  const sorted = values.toSorted();
  const accepts = acceptor(operator, sorted);
  return {
    key,
    operator,
    values: sorted,
    matches: (labels) => {
      // Labels are own properties with text values; what an object inherits is never text.
      const value: unknown = labels[key];
      return accepts(typeof value === 'string' ? value : undefined);
    },
  };
}

/** @throws SelectorError when `key` cannot be a label's key. */
export function checkLabelKey(key: string): void {
  const problems = isQualifiedName(key);
  if (problems.length > 0) {
    throw new SelectorError(`invalid label key ${quoteGo(key)}: ${problems.join('; ')}`);
  }
}

function checkLabelValue(key: string, value: string): void {
  const problems = isLabelValue(value);
  if (problems.length === 0) return;
  throw new SelectorError(
    `invalid label value: ${quoteGo(value)}: at key: ${quoteGo(key)}: ${problems.join('; ')}`,
  );
}

function checkValues(operator: LabelOperator, values: readonly string[]): void {
  switch (operator) {
    case 'in':
    case 'notin':
      if (values.length > 0) return;
      throw new SelectorError("for 'in', 'notin' operators, values set can't be empty");
    case '=':
    case '==':
    case '!=':
      if (values.length === 1) return;
      throw new SelectorError('exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      if (values.length === 0) return;
      throw new SelectorError('values set must be empty for exists and does not exist');
    default:
      checkInteger(values);
  }
}

function checkInteger(values: readonly string[]): void {
  if (values.length !== 1) {
    throw new SelectorError("for 'Gt', 'Lt' operators, exactly one value is required");
  }
  if (parseInt64(values[0] ?? '') === undefined) {
    throw new SelectorError("for 'Gt', 'Lt' operators, the value must be an integer");
  }
}

/** What a label's value, or its absence, must be. */
function acceptor(
  operator: LabelOperator,
  values: readonly string[],
): (value: string | undefined) => boolean {
  switch (operator) {
    case 'exists':
      return (value) => value !== undefined;
    case '!':
      return (value) => value === undefined;
    case '>':
    case '<':
      return comparison(operator, parseInt64(values[0] ?? '') ?? 0n);
    default: {
      const isMember = membership(values);
      return operator === '!=' || operator === 'notin' ? (value) => !isMember(value) : isMember;
    }
  }
}

function membership(values: readonly string[]): (value: string | undefined) => boolean {
  const [only] = values;
  if (values.length === 1) return (value) => value === only;
  const set = new Set<string | undefined>(values);
  return (value) => set.has(value);
}

function comparison(operator: '>' | '<', bound: bigint): (value: string | undefined) => boolean {
  return (value) => {
    const number = value === undefined ? undefined : parseInt64(value);
    if (number === undefined) return false;
    return operator === '>' ? number > bound : number < bound;
  };
}

/** The condition in query syntax. */
export function formatLabelRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    default:
      return `${key}${operator}${values[0] ?? ''}`;
  }
}
