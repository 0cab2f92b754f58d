import { ProtobufError, throwMalformed } from './protobuf-error.ts';
import type { Reader } from './reader.ts';
import { type WireType, wireBytes } from './wire.ts';

/** What takes the fields of a message as they come. */
export interface FieldSink {
  /** For messages of errors: name of the message's type, without its group. */
  readonly typeName: string;
  /**
   * Reads the value of a field. In a value with a length, the length is read already and `end` says where it
   * stops; else `end` is meaningless. False for an unknown field, which is then skipped.
   */
  take(input: Reader, fieldNumber: number, wire: number, end: number): boolean;
}

/**
 * Reads fields up to the reader's limit.
 *
 * @throws ProtobufError when the bytes are not fields.
 */
export function readFields(input: Reader, sink: FieldSink): void {
  const { limit } = input;
  while (input.at < limit) {
    const tag = input.varint();
    const wire = tag % 8;
    const fieldNumber = Math.floor(tag / 8);
    if (wire === 4) throw new ProtobufError(`proto: ${sink.typeName}: wiretype end group for non-group`);
    // gogo/protobuf keeps 32 bits of the number.
    if (fieldNumber === 0 || (fieldNumber | 0) <= 0) {
      throw new ProtobufError(`proto: ${sink.typeName}: illegal tag ${fieldNumber | 0} (wire type ${wire})`);
    }
    if (wire === wireBytes) {
      const end = input.lengthEnd();
      sink.take(input, fieldNumber, wire, end);
      input.at = end;
      input.limit = limit;
    } else if (!sink.take(input, fieldNumber, wire, limit)) input.skip(wire);
    if (input.at > limit) throwMalformed('end');
  }
}

/** @throws ProtobufError always, in gogo/protobuf's words. */
export function throwWrongWire(wire: number, goName: string): never {
  throw new ProtobufError(`proto: wrong wireType = ${wire} for field ${goName}`);
}

/** @throws ProtobufError when a known field has the wrong wire type. */
export function expectWire(wire: number, expected: WireType, goName: string): void {
  if (wire !== expected) throwWrongWire(wire, goName);
}

/** The field of a message that has one, number 1. */
export interface OnlyField {
  readonly typeName: string;
  readonly goName: string;
  readonly wire: WireType;
}

/** Reads a message of one field up to `end`; `take` gets the value's end, once per occurrence. */
export function readOnlyField(
  input: Reader,
  end: number,
  { typeName, goName, wire: expected }: OnlyField,
  take: (valueEnd: number) => void,
): void {
  input.limit = end;
  readFields(input, {
    typeName,
    take(_input, fieldNumber, wire, valueEnd) {
      if (fieldNumber !== 1) return false;
      expectWire(wire, expected, goName);
      take(valueEnd);
      return true;
    },
  });
}
