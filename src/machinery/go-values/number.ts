import { isRawNumber, type RawNumber } from '../../base/index.ts';

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
 * others are doubles to it. A whole double counts as an integer, since that is how it is written.
 */
export function isInteger(value: JsonNumber): boolean {
  if (!isRawNumber(value)) return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
  if (value.rawJSON.length > longestInteger || !/^-?\d+$/.test(value.rawJSON)) return false;
  const integer = BigInt(value.rawJSON);
  return integer >= int64.min && integer <= int64.max;
}

/** The double that is nearest to a number. */
export const toDouble = (value: JsonNumber): number => (isRawNumber(value) ? Number(value.rawJSON) : value);

/** The integer that a number is, exactly. Only for those that `isInteger`. */
export const toInteger = (value: JsonNumber): bigint => BigInt(isRawNumber(value) ? value.rawJSON : value);

/** The integer of 64 bits that a text of decimal digits, with a sign or without, is; undefined for all others. */
export function parseInt64(text: string): bigint | undefined {
  const parts = /^([+-]?)0*(\d{1,19})$/.exec(text);
  if (parts === null) return undefined;
  const magnitude = BigInt(parts[2] ?? '');
  const value = parts[1] === '-' ? -magnitude : magnitude;
  return value >= int64.min && value <= int64.max ? value : undefined;
}

/** A number without its fraction, as Go makes an integer of 64 bits of a double: of those that it cannot hold, the smallest. */
export function truncate(value: JsonNumber): bigint {
  if (isInteger(value)) return toInteger(value);
  const whole = Math.trunc(toDouble(value));
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : int64.min;
}

/** What Go says of the digits of a number that is beyond all doubles. */
export const beyondDoubles = (digits: string): string =>
  `strconv.ParseFloat: parsing "${digits}": value out of range`;

/** A double as Go's `%v` shows it: the shortest digits, with an exponent below 1e-4 and from 1e6 on. */
export function formatDouble(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** A number of JSON as Go's `%v` shows what release 1.20 reads it as. */
export const formatNumber = (value: JsonNumber): string =>
  isInteger(value) ? String(toInteger(value)) : formatDouble(toDouble(value));
