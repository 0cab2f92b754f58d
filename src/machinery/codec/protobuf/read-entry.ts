import { errorBelow } from './protobuf-error.ts';
import type { Reader } from './reader.ts';
import type { ValueCodec } from './value-codec.ts';
import { wireBytes } from './wire.ts';

/** Key and value of one entry of a map. */
export interface MapEntry {
  readonly key: string;
  readonly value: unknown;
}

/**
 * Reads the entry that ends at `end`: key in field 1, value in field 2, zero where one is missing. Entries as
 * encoders write them (key, value) are read without looking at fields one by one.
 */
export function readEntry(input: Reader, end: number, codec: ValueCodec): MapEntry {
  const start = input.at;
  input.limit = end;
  if (codec.wire === wireBytes && input.bytes[start] === 0x0a && start < end) {
    input.at = start + 1;
    const keyEnd = input.lengthEnd();
    const key = input.text(keyEnd);
    input.at = keyEnd + 1;
    if (keyEnd < end && input.bytes[keyEnd] === 0x12 && input.lengthEnd() === end) {
      return { key, value: readValue(input, end, { key, codec }) };
    }
    input.at = start;
  }
  return readAnyEntry(input, end, codec);
}

/** Keys and values are read as what has a length, whatever their wire types say, as gogo/protobuf reads them. */
function readAnyEntry(input: Reader, end: number, codec: ValueCodec): MapEntry {
  let key = '';
  let found: { readonly value: unknown } | undefined;
  while (input.at < end) {
    const tag = input.varint();
    const fieldNumber = Math.floor(tag / 8);
    if (fieldNumber !== 1 && fieldNumber !== 2) {
      input.skip(tag % 8);
      continue;
    }
    const valueEnd = input.lengthEnd();
    if (fieldNumber === 1) key = input.text(valueEnd);
    else found = { value: readValue(input, valueEnd, { key, codec }) };
    input.at = valueEnd;
    input.limit = end;
  }
  return { key, value: found === undefined ? (codec.zero() ?? emptyValue(codec)) : found.value };
}

/** A list in a map is empty, not null, as gogo/protobuf reads it. */
function emptyValue(codec: ValueCodec): unknown {
  return codec.shape === 'list' ? [] : null;
}

function readValue(input: Reader, end: number, { key, codec }: { key: string; codec: ValueCodec }): unknown {
  try {
    return codec.read(input, end);
  } catch (error) {
    throw errorBelow(`[${key}]`, error);
  }
}
