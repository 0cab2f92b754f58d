import { DurationError, parseDurationMs } from '../../machinery/go-values/index.ts';
import { type Parsed, refuse } from './parsed.ts';
import type { ValuePhrases } from './value-phrases.ts';

const forms = /^([+-]?)(?:0[xX]([\da-fA-F_]+)|0[bB]([01_]+)|0[oO]?([0-7_]+)|([1-9][\d_]*|0))$/;
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Longer texts are no numbers that anybody means. */
const maxLength = 80;

/** Bounds of an integer type, both included. */
export interface IntegerShape {
  readonly min: bigint;
  readonly max: bigint;
}

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);

/** Integer types: `int` keeps every digit, the others have the bounds of Go's types of these names. */
export const integerShapes = {
  int: { min: -safeMax, max: safeMax },
  int32: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint: { min: 0n, max: 2n ** 64n - 1n },
} as const satisfies Readonly<Record<string, IntegerShape>>;

/** Whole numbers as Go writes them: decimal, `0x1f`, `0b1`, `017`, `0o17`. Values beyond 2^53 lose digits. */
export function parseInteger(
  text: string,
  { min, max }: IntegerShape,
  phrases: Pick<ValuePhrases, 'integer'>,
): Parsed<number> {
  const isUnsigned = min >= 0n;
  const match = text.length > maxLength ? null : forms.exec(text);
  const [, sign, hex, binary, octal, digits] = match ?? [];
  if (match === null || (isUnsigned && sign !== '')) {
    return refuse(phrases.integer({ text, isUnsigned, isOutOfRange: false }));
  }
  const body = hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : (digits ?? '0');
  const size = BigInt(body.replaceAll('_', ''));
  const value = sign === '-' ? -size : size;
  if (value >= min && value <= max) return { value: Number(value) };
  return refuse(phrases.integer({ text, isUnsigned, isOutOfRange: true }));
}

/** A decimal number. */
export function parseFloatText(text: string, phrases: Pick<ValuePhrases, 'float'>): Parsed<number> {
  if (text.length > maxLength || !decimal.test(text))
    return refuse(phrases.float({ text, isOutOfRange: false }));
  const value = Number(text);
  return Number.isFinite(value) ? { value } : refuse(phrases.float({ text, isOutOfRange: true }));
}

/** Milliseconds of a duration as Go writes it, with their fractions. */
export function parseDurationText(text: string, phrases: Pick<ValuePhrases, 'duration'>): Parsed<number> {
  try {
    return { value: parseDurationMs(text) };
  } catch (error) {
    if (error instanceof DurationError) return refuse(phrases.duration(text, error.message));
    throw error;
  }
}
