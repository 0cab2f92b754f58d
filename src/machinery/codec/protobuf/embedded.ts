import { sortedCopy } from '../../schema/json-text.ts';
import { BodySyntaxError } from '../body-syntax-error.ts';
import { parseJson } from '../parse-json.ts';
import { envelopeTail } from './envelope.ts';
import { expectWire, readFields, readOnlyField } from './fields.ts';
import { errorBelow } from './protobuf-error.ts';
import { writeText } from './scalars.ts';
import type { ValueCodec } from './value-codec.ts';
import { wireBytes } from './wire.ts';

/** How the value of a field of bytes is written and read. */
interface RawForm {
  readonly typeName: string;
  toText(value: unknown): string;
  fromBytes(bytes: Buffer): unknown;
}

/** A message whose field 1 holds a value as bytes; null is an empty message. */
function rawMessageCodec({ typeName, toText, fromBytes }: RawForm): ValueCodec {
  const rawField = { typeName, goName: 'Raw', wire: wireBytes } as const;
  return {
    wire: wireBytes,
    shape: 'struct',
    write(out, value) {
      if (value === null || value === undefined) return out.varint(0);
      const before = out.size;
      writeText(out, toText(value));
      out.byte(0x0a);
      out.varint(out.size - before);
    },
    read(input, end) {
      let raw: Buffer | undefined;
      readOnlyField(input, end, rawField, (valueEnd) => {
        raw = input.bytes.subarray(input.at, valueEnd);
      });
      return readRaw(raw, fromBytes);
    },
    zero: () => null,
  };
}

function readRaw(raw: Buffer | undefined, fromBytes: (bytes: Buffer) => unknown): unknown {
  if (raw === undefined || raw.length === 0) return null;
  try {
    return fromBytes(raw);
  } catch (error) {
    throw errorBelow('raw', error);
  }
}

/** Reads an object that is embedded as bytes: JSON text or an envelope. */
export type EmbeddedReader = (bytes: Buffer) => unknown;

/** An embedded object: written as JSON, read as JSON or enveloped. */
export function rawExtensionCodec(readEmbedded: EmbeddedReader): ValueCodec {
  return rawMessageCodec({ typeName: 'RawExtension', toText: JSON.stringify, fromBytes: readEmbedded });
}

/** A set of fields: its JSON text. Bytes that are no JSON are read as a text, which is no set of fields either. */
export const fieldsV1Codec: ValueCodec = rawMessageCodec({
  typeName: 'FieldsV1',
  toText: JSON.stringify,
  fromBytes: (bytes) => {
    try {
      return parseJson(bytes);
    } catch (error) {
      if (!(error instanceof BodySyntaxError)) throw error;
      return bytes.toString('utf8');
    }
  },
});

const markup = /[<>&\u2028\u2029]/g;

/** Any value inside a schema. apimachinery has parsed and rewritten it: keys sorted, markup escaped. */
export const jsonCodec: ValueCodec = rawMessageCodec({
  typeName: 'JSON',
  toText: (value) =>
    JSON.stringify(sortedCopy(value)).replace(
      markup,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  fromBytes: (bytes) => sortedCopy(parseJson(bytes)),
});

const emptyTypeMeta = Buffer.from([0x0a, 0x04, 0x0a, 0x00, 0x12, 0x00]);
const jsonMediaType = 'application/json';

/** An envelope without magic as a field (requests in audit events): the object's JSON, and its media type. */
export function unknownCodec(readEmbedded: EmbeddedReader): ValueCodec {
  return {
    wire: wireBytes,
    shape: 'struct',
    write(out, value) {
      const before = out.size;
      if (value === null || value === undefined) out.bytes(envelopeTail);
      else {
        writeText(out, jsonMediaType);
        out.bytes(Buffer.from([0x1a, 0x00, 0x22]));
        writeText(out, JSON.stringify(value));
        out.byte(0x12);
      }
      out.bytes(emptyTypeMeta);
      out.varint(out.size - before);
    },
    read(input, end) {
      let raw: Buffer | undefined;
      input.limit = end;
      readFields(input, {
        typeName: 'Unknown',
        take(_input, fieldNumber, wire, valueEnd) {
          if (fieldNumber !== 2) return false;
          expectWire(wire, wireBytes, 'Raw');
          raw = input.bytes.subarray(input.at, valueEnd);
          return true;
        },
      });
      return readRaw(raw, readEmbedded);
    },
    zero: () => null,
  };
}
