import { errorText, jsonBytes } from '../../base/index.ts';
import type { Codec, ExplainedField } from './codec.ts';
import { JsonReader } from './json-reader.ts';
import { readWhole, skipValue } from './json-skip.ts';

/** Types with more fields than this are read by another routine of json-iterator. */
const smallStructFields = 10;

/**
 * json-iterator's message for a value that does not fit, found by reading the text as its decoder does (that of release 1.20): it
 * reads on after an error and puts the name of every field that it comes to in front as well. Undefined when nothing is
 * wrong.
 */
export function explainMismatch(codec: Codec, text: Buffer): string | undefined {
  const reader = new JsonReader(text);
  read(codec, reader);
  return reader.message;
}

function read(codec: Codec, reader: JsonReader): void {
  const { explain } = codec;
  switch (explain.kind) {
    case 'string':
      reader.readString();
      break;
    case 'bool':
      if (!reader.skipNull()) reader.readBool();
      break;
    case 'integer':
      if (!reader.skipNull()) reader.readInteger(explain.bits);
      break;
    case 'double':
      if (!reader.skipNull()) reader.readDouble(explain.beyond);
      break;
    case 'bytes':
      if (!reader.skipNull()) readBytes(explain.faultOf, reader);
      break;
    case 'own':
      readOwn(explain.check, reader);
      break;
    case 'list':
      readList(explain.element(), reader);
      reader.nameError(`${explain.goName}: `);
      break;
    case 'map':
      readMap(explain.element(), reader);
      break;
    case 'struct':
      readStruct(explain, reader);
  }
}

function readBytes(faultOf: (text: string) => string | undefined, reader: JsonReader): void {
  if (reader.peek() === jsonBytes.bracketOpen) {
    readItems(reader, () => {
      if (!reader.skipNull()) reader.readByteNumber();
    });
    reader.nameError('[]uint8: ');
    return;
  }
  if (reader.peek() !== jsonBytes.quote) {
    reader.fail('base64Codec', 'invalid input');
    return;
  }
  const fault = faultOf(reader.readString());
  if (fault !== undefined) reader.fail('decode base64', fault);
}

/** A type that reads its own JSON: its whole text is taken, and what its reader says is reported. */
function readOwn(check: (value: unknown) => void, reader: JsonReader): void {
  const value = readWhole(reader);
  if (value === null || value === undefined) return;
  try {
    check(value);
  } catch (error) {
    reader.fail('unmarshalerDecoder', errorText(error));
  }
}

const readList = (element: Codec, reader: JsonReader): void => readItems(reader, () => read(element, reader));

function readItems(reader: JsonReader, readItem: () => void): void {
  const first = reader.next();
  if (first === jsonBytes.letterN) reader.skipWord('ull');
  else if (first !== jsonBytes.bracketOpen) {
    reader.failAt('decode slice', 'expect [ or n, but found ', first);
  } else if (reader.next() !== jsonBytes.bracketClose) {
    reader.back();
    let byte: number = jsonBytes.comma;
    for (; byte === jsonBytes.comma; byte = reader.next()) readItem();
    if (byte !== jsonBytes.bracketClose) reader.failAt('decode slice', 'expect ], but found ', byte);
  }
}

function readMap(element: Codec, reader: JsonReader): void {
  const first = reader.next();
  if (first === jsonBytes.letterN) {
    reader.skipWord('ull');
    return;
  }
  if (first !== jsonBytes.braceOpen) {
    reader.failAt('ReadMapCB', 'expect { or n, but found ', first);
    return;
  }
  if (reader.next() === jsonBytes.braceClose) return;
  reader.back();
  let byte: number = jsonBytes.comma;
  for (; byte === jsonBytes.comma; byte = reader.next()) {
    reader.readString();
    const after = reader.next();
    if (after !== jsonBytes.colon) {
      reader.failAt('ReadMapCB', 'expect : after object field, but found ', after);
      return;
    }
    read(element, reader);
  }
  if (byte !== jsonBytes.braceClose) reader.failAt('ReadMapCB', 'expect }, but found ', byte);
}

interface ExplainedStruct {
  readonly goName: string;
  fields(): readonly ExplainedField[];
}

/** A type without fields has a reader of its own, which looks only at what comes. */
function readEmptyStruct(reader: JsonReader): void {
  const first = reader.peek();
  if (first === jsonBytes.braceOpen || first === jsonBytes.letterN) skipValue(reader);
  else reader.fail('skipObjectDecoder', 'expect object or null');
}

function readStruct(struct: ExplainedStruct, reader: JsonReader): void {
  if (struct.fields().length === 0) {
    readEmptyStruct(reader);
    return;
  }
  const first = reader.next();
  if (first === jsonBytes.letterN) {
    reader.skipWord('ull');
    return;
  }
  if (first !== jsonBytes.braceOpen) {
    reader.failAt('readObjectStart', 'expect { or n, but found ', first);
    return;
  }
  const second = reader.next();
  if (second === jsonBytes.braceClose) return;
  if (second !== jsonBytes.quote) {
    reader.failAt('readObjectStart', 'expect " after {, but found ', second);
    return;
  }
  reader.back();
  if (struct.fields().length <= smallStructFields) readSmallFields(struct, reader);
  else readManyFields(struct, reader);
}

/** Looks at its end before it says where it was. */
function readSmallFields({ goName, fields }: ExplainedStruct, reader: JsonReader): void {
  let byte: number = jsonBytes.comma;
  while (byte === jsonBytes.comma) {
    readMember(fields(), reader.readSmallName(), reader);
    byte = reader.next();
  }
  if (byte !== jsonBytes.braceClose)
    reader.failAt('isObjectEnd', 'object ended prematurely, unexpected char ', byte);
  reader.nameError(`${goName}.`);
}

/** Says where it was before it looks at its end. */
function readManyFields({ goName, fields }: ExplainedStruct, reader: JsonReader): void {
  let byte: number = jsonBytes.comma;
  for (; byte === jsonBytes.comma; byte = reader.next()) {
    const name = reader.readString();
    const after = reader.next();
    if (after !== jsonBytes.colon)
      reader.failAt('ReadObject', 'expect : after object field, but found ', after);
    readMember(fields(), name, reader);
  }
  reader.nameError(`${goName}.`);
  if (byte !== jsonBytes.braceClose) reader.failAt('struct Decode', 'expect }, but found ', byte);
}

function readMember(fields: readonly ExplainedField[], name: string | undefined, reader: JsonReader): void {
  const field = fields.find(({ data }) => data.n === name);
  if (field === undefined) skipValue(reader);
  else readField(field, reader);
}

function readField({ data, goPath, codec }: ExplainedField, reader: JsonReader): void {
  const isNull = data.ptr === 1 && reader.skipNull();
  if (!isNull) read(codec, reader);
  reader.nameError(`${goPath.join(': ')}: `);
}
