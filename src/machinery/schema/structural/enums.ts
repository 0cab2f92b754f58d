import { isJsonObject } from '../../../base/index.ts';
import { isInteger, isJsonNumber, toDouble, toInteger, truncate } from '../../go-values/index.ts';
import { Effort, type Findings } from './findings.ts';
import { goSource } from './go-text.ts';

/** The values that a schema allows. */
export interface EnumRule {
  check(value: unknown, path: string, findings: Findings): void;
}

/** The rule of an `enum`; undefined where there is none, or an empty one. Null never is one of the values. */
export function enumRule(values: unknown): EnumRule | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  let texts: ReadonlySet<unknown> | undefined;
  let others: ReadonlySet<string> | 'too large' | undefined;
  const isAllowed = (value: unknown, effort: Effort): boolean => {
    if (typeof value === 'string') {
      texts ??= new Set(values.filter((each) => typeof each === 'string'));
      return texts.has(value);
    }
    others ??= keysOfAllowed(values);
    if (others === 'too large') return effort.spend(Number.POSITIVE_INFINITY);
    const allowed = others;
    return keysOf(value).some((key) => allowed.has(key));
  };
  return {
    check(value, path, findings) {
      const { effort } = findings;
      if (value !== null) {
        if (typeof value !== 'string' && !effort.spendOn(value)) return;
        if (isAllowed(value, effort)) return;
      }
      // All values are told, and the wrong one.
      if (effort.spend(values.length) && effort.spendOn(value))
        findings.unsupported(path, value, () => values.map(shown));
    },
  };
}

/** Keys of the values that are no texts; making them may cost what the validation of an object may. */
function keysOfAllowed(values: readonly unknown[]): ReadonlySet<string> | 'too large' {
  const effort = new Effort();
  return values.every((value) => effort.spendOn(value))
    ? new Set(values.filter((value) => value !== null).map(keyOf))
    : 'too large';
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A text that two values share when release 1.20 takes them for equal; the kinds of number are told apart. */
function keyOf(value: unknown): string {
  if (isJsonNumber(value)) return isInteger(value) ? `i${toInteger(value)}` : `d${toDouble(value)}`;
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (!isJsonObject(value)) return goSource(value);
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${keyOf(value[name])}`)
    .join()}}`;
}

/**
 * The keys by which a value is looked for: its own, and what it is when it is converted to the type of an allowed value.
 * Numbers of one kind become the other, doubles losing their fraction, and integers the character of that number.
 */
function keysOf(value: unknown): string[] {
  if (!isJsonNumber(value)) return [keyOf(value)];
  if (!isInteger(value)) return [keyOf(value), `i${truncate(value)}`];
  const integer = toInteger(value);
  const isCharacter = integer >= 0n && integer <= 0x10ffffn && !(integer >= 0xd800n && integer <= 0xdfffn);
  const character = String.fromCodePoint(isCharacter ? Number(integer) : 0xfffd);
  return [`i${integer}`, `d${Number(integer)}`, keyOf(character)];
}
