import { isRawNumber } from '../../base/index.ts';
import { beyondDoubles, toDouble } from '../go-values/index.ts';
import { type Codec, Leftover, Reason } from './codec.ts';
import { firstCharacter } from './json-text.ts';
import { throwMismatch } from './mismatch.ts';

/** A reason of a reader that stops in the middle of a value; a one-digit number is all read by then. */
export function readerReason(operation: string, message: string, value: unknown): Reason {
  const text = JSON.stringify(value) ?? 'null';
  return new Reason(`${operation}: ${message}`, { derails: !/^\d$/.test(text) });
}

const stringCodec: Codec = {
  shape: 'scalar',
  decode: (value) => (typeof value === 'string' ? value : throwMismatch()),
  zero: () => '',
  explain: {
    kind: 'leaf',
    check(value) {
      if (typeof value === 'string') return;
      throw readerReason('ReadString', `expects " or n, but found ${firstCharacter(value)}`, value);
    },
  },
};

const boolCodec: Codec = {
  shape: 'scalar',
  decode: (value) => (typeof value === 'boolean' ? value : throwMismatch()),
  zero: () => false,
  explain: {
    kind: 'leaf',
    check(value) {
      if (typeof value === 'boolean') return;
      throw readerReason('ReadBool', `expect t or f, but found ${firstCharacter(value)}`, value);
    },
  },
};

const doubleCodec: Codec = {
  shape: 'scalar',
  decode(value) {
    if (typeof value === 'number') return value;
    const double = isRawNumber(value) ? toDouble(value) : throwMismatch();
    return Number.isFinite(double) ? double : throwMismatch();
  },
  zero: () => 0,
  explain: {
    kind: 'leaf',
    check(value) {
      if (typeof value === 'number') return;
      if (isRawNumber(value)) {
        if (Number.isFinite(toDouble(value))) return;
        throw new Reason(beyondDoubles(value.rawJSON), { derails: true });
      }
      throw readerReason('readFloat64SlowPath', `unexpected value type ${firstCharacter(value)}`, value);
    },
  },
};

interface IntegerRange {
  readonly bits: 32 | 64;
  readonly min: bigint;
  readonly max: bigint;
}

const int32: IntegerRange = { bits: 32, min: -(2n ** 31n), max: 2n ** 31n - 1n };
const int64: IntegerRange = { bits: 64, min: -(2n ** 63n), max: 2n ** 63n - 1n };

function explainInteger(value: unknown, { bits, min, max }: IntegerRange): void {
  const digits = isRawNumber(value) ? value.rawJSON : typeof value === 'number' ? String(value) : undefined;
  // json-iterator shows the byte 255, its mark for "no digit", which reaches clients as U+FFFD.
  if (digits === undefined) throw readerReason(`readUint${bits}`, 'unexpected character: \ufffd', value);
  const exponent = /^-?\d+([eE])/.exec(digits)?.[1];
  if (exponent !== undefined) throw new Leftover(exponent);
  if (!/^-?\d+$/.test(digits)) {
    throw new Reason('assertInteger: can not decode float as int', { derails: true });
  }
  const number = BigInt(digits);
  if (number >= min && number <= max) return;
  const read = readDigits(digits.replace('-', ''), bits);
  const reason = read === undefined ? `readUint${bits}: overflow` : `ReadInt${bits}: overflow: ${read}`;
  throw new Reason(reason, { derails: true });
}

/** Digits as json-iterator adds them up: undefined where it notices that they do not fit into so many bits. */
function readDigits(digits: string, bits: number): bigint | undefined {
  let value = 0n;
  for (const digit of digits) {
    const next = BigInt.asUintN(bits, value * 10n + BigInt(digit));
    if (next < value) return undefined;
    value = next;
  }
  return value;
}

const isInt32 = (value: unknown): boolean => typeof value === 'number' && (value | 0) === value;

const int32Codec: Codec = {
  shape: 'scalar',
  decode: (value) => (isInt32(value) ? value : throwMismatch()),
  zero: () => 0,
  explain: { kind: 'leaf', check: (value) => explainInteger(value, int32) },
};

function decodeInt64(value: unknown): unknown {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (isRawNumber(value) && /^-?\d+$/.test(value.rawJSON)) {
    const number = BigInt(value.rawJSON);
    if (number >= int64.min && number <= int64.max) return value;
  }
  // A whole double beyond the safe range: its digits are as good as any.
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63) return value;
  return throwMismatch();
}

const int64Codec: Codec = {
  shape: 'scalar',
  decode: decodeInt64,
  zero: () => 0,
  explain: { kind: 'leaf', check: (value) => explainInteger(value, int64) },
};

/** Codecs of the data's scalar names. */
export const scalarCodecs: Readonly<Record<string, Codec>> = {
  string: stringCodec,
  bool: boolCodec,
  int32: int32Codec,
  int64: int64Codec,
  double: doubleCodec,
};
