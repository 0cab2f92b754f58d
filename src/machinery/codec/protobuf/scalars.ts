import { ProtobufError } from './protobuf-error.ts';
import type { ValueCodec } from './value-codec.ts';
import { wireBytes, wireFixed64, wireVarint } from './wire.ts';
import type { BackwardWriter } from './writer.ts';

/** Writes text with its length. @throws TypeError when the value is no text. */
export function writeText(out: BackwardWriter, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`encode in Protobuf: not a string: ${typeof value}`);
  const before = out.size;
  out.text(value);
  out.varint(out.size - before);
}

const stringCodec: ValueCodec = {
  wire: wireBytes,
  shape: 'scalar',
  write: (out, value) => writeText(out, value ?? ''),
  read: (input, end) => input.text(end),
  zero: () => '',
};

const boolCodec: ValueCodec = {
  wire: wireVarint,
  shape: 'scalar',
  write: (out, value) => out.byte(value === true ? 1 : 0),
  read: (input) => input.varint() !== 0,
  zero: () => false,
};

const int32Codec: ValueCodec = {
  wire: wireVarint,
  shape: 'scalar',
  write: (out, value) => out.int64(value ?? 0),
  read: (input) => input.int32(),
  zero: () => 0,
};

const int64Codec: ValueCodec = { ...int32Codec, read: (input) => input.int64() };

function readDouble(value: number): number {
  if (Number.isFinite(value)) return value;
  // Go's names of the numbers that JSON cannot write.
  const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new ProtobufError(`unsupported value: ${text}`);
}

const doubleCodec: ValueCodec = {
  wire: wireFixed64,
  shape: 'scalar',
  write(out, value) {
    if (value !== undefined && value !== null && typeof value !== 'number') {
      throw new TypeError(`encode in Protobuf: not a number: ${typeof value}`);
    }
    out.double(value ?? 0);
  },
  read: (input) => readDouble(input.double()),
  zero: () => 0,
};

/** Base64 text in JSON. Bytes that are null are left out, bytes of length zero are not. */
const bytesCodec: ValueCodec = {
  wire: wireBytes,
  shape: 'scalar',
  isNilable: true,
  write(out, value) {
    if (typeof value !== 'string' && value !== undefined && value !== null) {
      throw new TypeError(`encode in Protobuf: not base64: ${typeof value}`);
    }
    const bytes = Buffer.from(value ?? '', 'base64');
    out.bytes(bytes);
    out.varint(bytes.length);
  },
  read: (input, end) => input.bytes.toString('base64', input.at, end),
  zero: () => '',
};

/** Codecs of the data's scalar names. */
export const scalarCodecs: Readonly<Record<string, ValueCodec>> = {
  string: stringCodec,
  bool: boolCodec,
  int32: int32Codec,
  int64: int64Codec,
  double: doubleCodec,
  bytes: bytesCodec,
};
