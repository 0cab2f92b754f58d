import { pow10 } from './powers.ts';
import { formatQuantityParts, type Quantity, type QuantityFormat } from './quantity-format.ts';

/** Text that is no quantity; the message is resource.Quantity's. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

/** Finest amount that is kept; anything finer is rounded away from zero. */
const nanoScale = -9;
/** Larger exponents mean nothing and would cost memory; the text is kept, the amount is capped. */
const maxScale = 1000;
/**
 * Digits of a quantity. Release 1.20 has no limit; work on a number grows with the square of its digits, and a million of
 * them would hold everybody up for seconds.
 */
const maxDigits = 1000;
const maxInt64 = 2n ** 63n - 1n;
/** Decimal digits that surely fit 64 bits. */
const maxInt64Digits = 18;

const formatWrong =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
/** No two repetitions that stand beside each other take the same character: wrong text is refused in one pass. */
const splitter = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?$/;
const leadingZeros = /^0+/;

const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binarySuffixes: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function parseSuffix(suffix: string): Suffix {
  const decimal = decimalSuffixes[suffix];
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = binarySuffixes[suffix];
  if (binary !== undefined) return { base: 2, exponent: binary, format: 'BinarySI' };
  if (/^[eE][+-]?\d+$/.test(suffix)) {
    return { base: 10, exponent: Number(suffix.slice(1)), format: 'DecimalExponent' };
  }
  throw new QuantityError("unable to parse quantity's suffix");
}

/**
 * Reads `100m`, `1.5Gi`, `1e3` and so on. Finer than a billionth is rounded away from zero.
 *
 * @throws QuantityError with resource.Quantity's message.
 */
export function parseQuantity(text: string): Quantity {
  const match = text === '' ? null : splitter.exec(text);
  if (match === null) throw new QuantityError(formatWrong);
  const [, sign, integer = '', fraction = '', suffixText = ''] = match;
  const whole = integer.startsWith('0') ? integer.replace(leadingZeros, '') : integer;
  if (whole.length + fraction.length > maxDigits)
    throw new QuantityError(`quantities have at most ${maxDigits} digits`);
  const suffix = parseSuffix(suffixText);
  const digits = (whole === '' ? '0' : whole) + fraction;
  const scale = (suffix.base === 10 ? suffix.exponent : 0) - fraction.length;
  // As in release 1.20, nothing at all is 0 where its reader gets along without numbers of any length.
  const isShort = suffix.base === 2 ? binaryRoom(whole, suffix) >= 0 : scale >= nanoScale;
  if (integer === '' && fraction === '' && !isShort)
    throw new QuantityError('unable to parse numeric part of quantity');
  const keepsText = isWrittenCanonically({ digits, hasFraction: fraction !== '', scale, suffix, whole });
  return normalize({
    unscaled:
      BigInt(digits) * (sign === '-' ? -1n : 1n) * (suffix.base === 2 ? 1n << BigInt(suffix.exponent) : 1n),
    scale,
    format: suffix.format,
    text: keepsText ? text : undefined,
  });
}

interface Written {
  readonly digits: string;
  readonly hasFraction: boolean;
  readonly scale: number;
  readonly suffix: Suffix;
  readonly whole: string;
}

/** Decimal digits that 64 bits have left beside those of a binary quantity. */
const binaryRoom = (whole: string, { exponent }: Suffix): number =>
  15 - Math.max(whole.length, 1) - Math.trunc((exponent * 3) / 10) - 1;

/** resource.Quantity writes such text back as it came (release 1.20, resource quantities), even `007` or `5.`. */
function isWrittenCanonically({ digits, hasFraction, scale, suffix, whole }: Written): boolean {
  if (suffix.format === 'BinarySI') {
    return !hasFraction && binaryRoom(whole, suffix) >= 0 && (BigInt(digits) & 7n) !== 0n;
  }
  if (digits.length > maxInt64Digits || scale < nanoScale) return false;
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

function normalize(quantity: Quantity): Quantity {
  const { unscaled, scale, format, text } = quantity;
  if (unscaled === 0n) return { unscaled, scale: 0, format };
  if (scale > maxScale) return { unscaled, scale: maxScale, format, text };
  if (scale < nanoScale) return { ...capBinary(roundTo(quantity, nanoScale)), text };
  return format === 'BinarySI' ? { ...capBinary(quantity), text } : quantity;
}

/** Binary amounts stop at 2^63-1; below one they are written with decimal suffixes. */
function capBinary(quantity: Quantity): Quantity {
  if (quantity.format !== 'BinarySI') return quantity;
  const size = absolute(quantity);
  if (compareQuantities(size, integerQuantity(maxInt64)) > 0) {
    return integerQuantity(quantity.unscaled < 0n ? -maxInt64 : maxInt64, 'BinarySI');
  }
  return compareQuantities(size, integerQuantity(1n)) < 0 ? { ...quantity, format: 'DecimalSI' } : quantity;
}

const absolute = (quantity: Quantity): Quantity =>
  quantity.unscaled < 0n ? { ...quantity, unscaled: -quantity.unscaled, text: undefined } : quantity;

/** A whole number as a quantity. */
export function integerQuantity(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { unscaled: BigInt(value), scale: 0, format };
}

/** The same amount in multiples of `10^scale`, rounded away from zero; drops the text it was read from. */
export function roundTo(quantity: Quantity, scale: number): Quantity {
  const { format } = quantity;
  if (quantity.scale >= scale) return { unscaled: quantity.unscaled, scale: quantity.scale, format };
  return { unscaled: divideAwayFromZero(quantity.unscaled, scale - quantity.scale), scale, format };
}

function divideAwayFromZero(value: bigint, exponent: number): bigint {
  // More digits than the value has: all of it is the remainder.
  if (exponent > value.toString().length) return value === 0n ? 0n : value < 0n ? -1n : 1n;
  const divisor = pow10(exponent);
  const quotient = value / divisor;
  if (quotient * divisor === value) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

/** Text of the amount: canonical, or what it was read from where resource.Quantity keeps that. */
export function formatQuantity(quantity: Quantity): string {
  return quantity.text ?? formatQuantityParts(quantity);
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.scale === b.scale) return a.unscaled < b.unscaled ? -1 : a.unscaled > b.unscaled ? 1 : 0;
  const { left, right } = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function align(a: Quantity, b: Quantity): { left: bigint; right: bigint; scale: number } {
  const scale = Math.min(a.scale, b.scale);
  return { left: a.unscaled * pow10(a.scale - scale), right: b.unscaled * pow10(b.scale - scale), scale };
}

/** The sum; it has the format of `a`, or of `b` when `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const { left, right, scale } = align(a, b);
  return { unscaled: left + right, scale, format: a.unscaled === 0n ? b.format : a.format };
}

/** The difference; it has the format of `a`, or of `b` when `a` is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { unscaled: -b.unscaled, scale: b.scale, format: b.format });
}

/** -1, 0 or 1. */
export function quantitySign(quantity: Quantity): number {
  return quantity.unscaled < 0n ? -1 : quantity.unscaled > 0n ? 1 : 0;
}

/** The amount in multiples of `10^scale` (0 units, -3 thousandths), rounded away from zero. */
export function quantityValue(quantity: Quantity, scale = 0): bigint {
  if (quantity.scale >= scale) return quantity.unscaled * pow10(quantity.scale - scale);
  return divideAwayFromZero(quantity.unscaled, scale - quantity.scale);
}

/** The same as release 1.20 computes it in many of its checks: what 64 bits do not hold is lost. */
export const wrappedQuantityValue = (quantity: Quantity, scale = 0): bigint =>
  BigInt.asIntN(64, quantityValue(quantity, scale));

/** Spaces that may stand around an amount. It is read as it stands in JSON, where other blanks are escapes. */
const spacesAround = /^[\u0020\p{Zs}]+|[\u0020\p{Zs}]+$/gu;
const canonicalTexts = new Map<string, string>();
const canonicalTextsLimit = 4096;

/** Text as resource.Quantity would write it back. @throws QuantityError. Results are memoized, bounded. */
export function canonicalQuantity(text: string): string {
  const known = canonicalTexts.get(text);
  if (known !== undefined) return known;
  const canonical = formatQuantity(parseQuantity(text.replace(spacesAround, '')));
  if (text.length <= 32) {
    if (canonicalTexts.size >= canonicalTextsLimit) canonicalTexts.clear();
    canonicalTexts.set(text, canonical);
  }
  return canonical;
}

/** Canonical text rounded up to multiples of `10^scale`; text that needs no rounding is kept as it is. */
export function roundQuantityText(text: string, scale: number): string {
  const quantity = parseQuantity(text);
  return quantity.scale >= scale ? formatQuantity(quantity) : formatQuantity(roundTo(quantity, scale));
}
