import { isRawNumber } from '../../../base/index.ts';
import { formatDuration, parseDuration } from '../../go-values/index.ts';
import { canonicalQuantity } from '../../values/index.ts';
import { expectWire, readFields, readOnlyField } from './fields.ts';
import { ProtobufError } from './protobuf-error.ts';
import { writeText } from './scalars.ts';
import type { ValueCodec } from './value-codec.ts';
import { wireBytes, wireVarint } from './wire.ts';

const quantityField = { typeName: 'QuantityProto', goName: 'String_', wire: wireBytes } as const;

/** An amount: its canonical text in field 1. */
export const quantityCodec: ValueCodec = {
  wire: wireBytes,
  shape: 'struct',
  write(out, value) {
    const before = out.size;
    writeText(out, typeof value === 'number' || isRawNumber(value) ? JSON.stringify(value) : (value ?? '0'));
    out.byte(0x0a);
    out.varint(out.size - before);
  },
  read(input, end) {
    let text = '0';
    readOnlyField(input, end, quantityField, (valueEnd) => {
      text = input.text(valueEnd);
    });
    return canonicalQuantity(text);
  },
  zero: () => '0',
};

const durationField = { typeName: 'Duration', goName: 'Duration', wire: wireVarint } as const;

/** A length of time: nanoseconds in field 1. */
export const durationCodec: ValueCodec = {
  wire: wireBytes,
  shape: 'struct',
  write(out, value) {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw new TypeError(`encode in Protobuf: not a duration: ${typeof value}`);
    }
    const before = out.size;
    out.int64(value ? parseDuration(value) : 0);
    out.byte(0x08);
    out.varint(out.size - before);
  },
  read(input, end) {
    let nanos = 0n;
    readOnlyField(input, end, durationField, () => {
      const value = input.int64();
      nanos = BigInt(isRawNumber(value) ? value.rawJSON : value);
    });
    return formatDuration(nanos);
  },
  zero: () => '0s',
};

const intOrStringFields = ['Type', 'IntVal', 'StrVal'];

/** Type in field 1 (0 a number, 1 text), number in 2, text in 3, all always written. */
export const intOrStringCodec: ValueCodec = {
  wire: wireBytes,
  shape: 'struct',
  write(out, value) {
    const isText = typeof value === 'string';
    const before = out.size;
    writeText(out, isText ? value : '');
    out.byte(0x1a);
    out.int64(isText ? 0 : (value ?? 0));
    out.byte(0x10);
    out.byte(isText ? 1 : 0);
    out.byte(0x08);
    out.varint(out.size - before);
  },
  read(input, end) {
    let type: unknown = 0;
    let number = 0;
    let text = '';
    input.limit = end;
    readFields(input, {
      typeName: 'IntOrString',
      take(_input, fieldNumber, wire, valueEnd) {
        const goName = intOrStringFields[fieldNumber - 1];
        if (goName === undefined) return false;
        expectWire(wire, fieldNumber === 3 ? wireBytes : wireVarint, goName);
        if (fieldNumber === 1) type = input.int64();
        else if (fieldNumber === 2) number = input.int32();
        else text = input.text(valueEnd);
        return true;
      },
    });
    if (type === 0) return number;
    if (type === 1) return text;
    throw new ProtobufError('impossible IntOrString.Type');
  },
  zero: () => 0,
};

/** A list of texts that is a message of its own (`Verbs`, `ExtraValue`): null is left out, empty is not. */
export function listMessageCodec(typeName: string): ValueCodec {
  const itemsField = { typeName, goName: typeName, wire: wireBytes } as const;
  return {
    wire: wireBytes,
    shape: 'list',
    isNilable: true,
    write(out, value) {
      if (value !== undefined && value !== null && !Array.isArray(value)) {
        throw new TypeError(`encode in Protobuf: not a list: ${typeof value}`);
      }
      const items: readonly unknown[] = value ?? [];
      const before = out.size;
      for (let index = items.length - 1; index >= 0; index--) {
        writeText(out, items[index] ?? '');
        out.byte(0x0a);
      }
      out.varint(out.size - before);
    },
    read(input, end) {
      const items: string[] = [];
      readOnlyField(input, end, itemsField, (valueEnd) => items.push(input.text(valueEnd)));
      return items;
    },
    zero: () => null,
  };
}
