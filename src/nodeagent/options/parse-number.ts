import { quoteGo } from '../../machinery/errors/index.ts';
import { type Parsed, refuse } from './parsed.ts';

const forms = /^([+-]?)(?:0[xX]([\da-fA-F_]+)|0[bB]([01_]+)|0[oO]?([0-7_]+)|([1-9][\d_]*|0))$/;
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Bounds of an integer flag and the name that its parser has in messages. */
export interface IntegerShape {
  readonly min: bigint;
  readonly max: bigint;
  readonly parser: string;
}

/** Shapes of the integer types. */
export const integerShapes = {
  int32: { min: -(2n ** 31n), max: 2n ** 31n - 1n, parser: 'ParseInt' },
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n, parser: 'ParseInt' },
  uint: { min: 0n, max: 2n ** 64n - 1n, parser: 'ParseUint' },
} as const satisfies Readonly<Record<string, IntegerShape>>;

/** Whole numbers as Go writes them: decimal, `0x1f`, `0b1`, `017`, `0o17`. Values beyond 2^53 lose digits. */
export function parseInteger(text: string, { min, max, parser }: IntegerShape): Parsed<number> {
  const match = text.length > 80 ? null : forms.exec(text);
  if (match === null) return refuse(`strconv.${parser}: parsing ${quoteGo(text)}: invalid syntax`);
  const [, sign, hex, binary, octal, digits] = match;
  const body = hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : (digits ?? '0');
  const size = BigInt(body.replaceAll('_', ''));
  const value = sign === '-' ? -size : size;
  if (value < min || value > max) {
    return refuse(`strconv.${parser}: parsing ${quoteGo(text)}: value out of range`);
  }
  return { value: Number(value) };
}

/** A decimal number. */
export function parseFloatText(text: string): Parsed<number> {
  if (text.length <= 80 && decimal.test(text)) return { value: Number(text) };
  return refuse(`strconv.ParseFloat: parsing ${quoteGo(text)}: invalid syntax`);
}
