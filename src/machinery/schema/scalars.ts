import { isRawNumber } from '../../base/index.ts';
import { beyondDoubles, toDouble } from '../go-values/index.ts';
import type { Codec } from './codec.ts';
import { throwMismatch } from './mismatch.ts';

const stringCodec: Codec = {
  shape: 'scalar',
  decode: (value) => (typeof value === 'string' ? value : throwMismatch()),
  zero: () => '',
  explain: { kind: 'string' },
};

const boolCodec: Codec = {
  shape: 'scalar',
  decode: (value) => (typeof value === 'boolean' ? value : throwMismatch()),
  zero: () => false,
  explain: { kind: 'bool' },
};

const doubleCodec: Codec = {
  shape: 'scalar',
  decode(value) {
    if (typeof value === 'number') return value;
    const double = isRawNumber(value) ? toDouble(value) : throwMismatch();
    return Number.isFinite(double) ? double : throwMismatch();
  },
  zero: () => 0,
  explain: { kind: 'double', beyond: beyondDoubles },
};

const isInt32 = (value: unknown): boolean => typeof value === 'number' && (value | 0) === value;

const int32Codec: Codec = {
  shape: 'scalar',
  decode: (value) => (isInt32(value) ? value : throwMismatch()),
  zero: () => 0,
  explain: { kind: 'integer', bits: 32 },
};

function decodeInt64(value: unknown): unknown {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (isRawNumber(value) && /^-?\d+$/.test(value.rawJSON)) {
    const number = BigInt(value.rawJSON);
    if (number >= -(2n ** 63n) && number < 2n ** 63n) return value;
  }
  // A whole double beyond the safe range: its digits are as good as any.
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63) return value;
  return throwMismatch();
}

const int64Codec: Codec = {
  shape: 'scalar',
  decode: decodeInt64,
  zero: () => 0,
  explain: { kind: 'integer', bits: 64 },
};

/** Codecs of the data's scalar names. */
export const scalarCodecs: Readonly<Record<string, Codec>> = {
  string: stringCodec,
  bool: boolCodec,
  int32: int32Codec,
  int64: int64Codec,
  double: doubleCodec,
};
