import { errorText } from '../../base/index.ts';
import type { Codec, ExplainedField } from './codec.ts';
import { JsonReader } from './json-reader.ts';

/** Types with more fields than this are read by another routine of json-iterator. */
const smallStructFields = 10;

const comma = 0x2c;
const colon = 0x3a;
const letterN = 0x6e;

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
  if (String.fromCharCode(reader.peek()) !== '"') {
    reader.fail('base64Codec', 'invalid input');
    return;
  }
  const fault = faultOf(reader.readString());
  if (fault !== undefined) reader.fail('decode base64', fault);
}

/** A type that reads its own JSON: its whole text is taken, and what its reader says is reported. */
function readOwn(check: (value: unknown) => void, reader: JsonReader): void {
  const value = reader.readWhole();
  if (value === null || value === undefined) return;
  try {
    check(value);
  } catch (error) {
    reader.fail('unmarshalerDecoder', errorText(error));
  }
}

function readList(element: Codec, reader: JsonReader): void {
  const first = reader.next();
  if (first === letterN) reader.skipWord('ull');
  else if (String.fromCharCode(first) !== '[') {
    reader.failAt('decode slice', 'expect [ or n, but found ', first);
  } else if (String.fromCharCode(reader.next()) !== ']') {
    reader.back();
    let code = comma;
    for (; code === comma; code = reader.next()) read(element, reader);
    if (String.fromCharCode(code) !== ']') reader.failAt('decode slice', 'expect ], but found ', code);
  }
}

function readMap(element: Codec, reader: JsonReader): void {
  const first = reader.next();
  if (first === letterN) {
    reader.skipWord('ull');
    return;
  }
  if (String.fromCharCode(first) !== '{') {
    reader.failAt('ReadMapCB', 'expect { or n, but found ', first);
    return;
  }
  if (String.fromCharCode(reader.next()) === '}') return;
  reader.back();
  let code = comma;
  for (; code === comma; code = reader.next()) {
    reader.readString();
    const after = reader.next();
    if (after !== colon) {
      reader.failAt('ReadMapCB', 'expect : after object field, but found ', after);
      return;
    }
    read(element, reader);
  }
  if (String.fromCharCode(code) !== '}') reader.failAt('ReadMapCB', 'expect }, but found ', code);
}

interface ExplainedStruct {
  readonly goName: string;
  fields(): readonly ExplainedField[];
}

function readStruct(struct: ExplainedStruct, reader: JsonReader): void {
  const first = reader.next();
  if (first === letterN) {
    reader.skipWord('ull');
    return;
  }
  if (String.fromCharCode(first) !== '{') {
    reader.failAt('readObjectStart', 'expect { or n, but found ', first);
    return;
  }
  const second = String.fromCharCode(reader.next());
  if (second === '}') return;
  if (second !== '"') {
    reader.failAt('readObjectStart', 'expect " after {, but found ', second.charCodeAt(0));
    return;
  }
  reader.back();
  if (struct.fields().length <= smallStructFields) readSmallFields(struct, reader);
  else readManyFields(struct, reader);
}

/** Looks at its end before it says where it was. */
function readSmallFields({ goName, fields }: ExplainedStruct, reader: JsonReader): void {
  let code = comma;
  while (code === comma) {
    readMember(fields(), reader.readSmallName(), reader);
    code = reader.next();
  }
  if (String.fromCharCode(code) !== '}')
    reader.failAt('isObjectEnd', 'object ended prematurely, unexpected char ', code);
  reader.nameError(`${goName}.`);
}

/** Says where it was before it looks at its end. */
function readManyFields({ goName, fields }: ExplainedStruct, reader: JsonReader): void {
  let code = comma;
  for (; code === comma; code = reader.next()) {
    const name = reader.readString();
    const after = reader.next();
    if (after !== colon) reader.failAt('ReadObject', 'expect : after object field, but found ', after);
    readMember(fields(), name, reader);
  }
  reader.nameError(`${goName}.`);
  if (String.fromCharCode(code) !== '}') reader.failAt('struct Decode', 'expect }, but found ', code);
}

function readMember(known: readonly ExplainedField[], name: string | undefined, reader: JsonReader): void {
  const field = known.find(({ data }) => data.n === name);
  if (field === undefined) reader.skip();
  else readField(field, reader);
}

function readField({ data, goPath, codec }: ExplainedField, reader: JsonReader): void {
  const isNull = data.ptr === 1 && reader.skipNull();
  if (!isNull) read(codec, reader);
  reader.nameError(`${goPath.join(': ')}: `);
}
