import { unquote } from '../go-values/index.ts';

/** A number or character in Go's syntax: whole ones as bigint, others as number; undefined when it makes no sense. */
export function readNumber(text: string): number | bigint | undefined {
  if (text.startsWith("'")) {
    const letter = unquote(text);
    return letter !== undefined && [...letter].length === 1 ? BigInt(letter.codePointAt(0) ?? 0) : undefined;
  }
  const plain = text.replaceAll('_', '');
  const whole = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9]\d*)$/.exec(plain);
  if (whole !== null) {
    const [, sign, digits = ''] = whole;
    const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
    return sign === '-' ? -size : size;
  }
  const value = Number(plain);
  if (!Number.isFinite(value)) return undefined;
  // As in Go, a constant such as 1e3 counts as whole.
  return Number.isSafeInteger(value) && /[eE]/.test(plain) ? BigInt(value) : value;
}
