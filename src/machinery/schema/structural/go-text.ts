import { isRawNumber, type RawNumber } from '../../../base/index.ts';
import { quoteGo, VerbatimValue } from '../../errors/index.ts';
import { sortedKeys } from '../json-text.ts';

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** Letters of the longest of them. Reading longer ones costs more than their length. */
const longestInteger = '-9223372036854775808'.length;

/** A number as JSON has it, of any size. */
export type JsonNumber = number | RawNumber;

/** True for numbers, also those that are kept as their digits. */
export const isJsonNumber = (value: unknown): value is JsonNumber =>
  typeof value === 'number' || isRawNumber(value);

/**
 * True for a number that release 1.20 reads as an integer: written without fraction and exponent, of 64 bits at most. All
 * others are doubles to it.
 */
export function isInteger(value: JsonNumber): boolean {
  if (!isRawNumber(value)) return Number.isSafeInteger(value);
  if (value.rawJSON.length > longestInteger || !/^-?\d+$/.test(value.rawJSON)) return false;
  const integer = BigInt(value.rawJSON);
  return integer >= int64.min && integer <= int64.max;
}

/** The double that is nearest to a number. */
export const toDouble = (value: JsonNumber): number => (isRawNumber(value) ? Number(value.rawJSON) : value);

/** The integer that a number is, exactly. Only for those that `isInteger`. */
export const toInteger = (value: JsonNumber): bigint => BigInt(isRawNumber(value) ? value.rawJSON : value);

/** A double as Go's `%v` shows it: the shortest digits, with an exponent below 1e-4 and from 1e6 on. */
export function goDouble(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** A number as Go's `%v` shows it. */
const goNumber = (value: JsonNumber): string =>
  isInteger(value) ? String(toInteger(value)) : goDouble(toDouble(value));

/** A value for an error's message, as release 1.20 shows it: lists and objects as Go source text. */
export const shownValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? new VerbatimValue(goSource(value)) : shownScalar(value);

const shownScalar = (value: unknown): unknown =>
  typeof value === 'number' ? new VerbatimValue(goNumber(value)) : value;

/** Any JSON value as Go source text (`%#v`). Recursive: objects are as deep as their reader lets them be. */
export function goSource(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quoteGo(value);
  if (isJsonNumber(value)) return goNumber(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSource).join(', ')}}`;
  const members = new Map(Object.entries(value));
  const entries = sortedKeys(value).map((name) => `${quoteGo(name)}:${goSource(members.get(name))}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}
