import { isBlank, isDigit, jsonBytes, rawNumber } from '../../base/index.ts';
import type { JsonReader } from './json-reader.ts';

/** Takes a whole value, and gives what it is while nothing has gone wrong. */
export function readWhole(reader: JsonReader): unknown {
  reader.peek();
  const start = reader.head;
  skipValue(reader);
  if (reader.message !== undefined) return undefined;
  const text = reader.bytes.toString('utf8', start, reader.head);
  return JSON.parse(text, keepDigits);
}

/** Keeps numbers as they are written where a double would write them otherwise. */
export const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? rawNumber(context.source)
    : value;

/** Goes behind a value of any kind, as far as it finds one. */
export function skipValue(reader: JsonReader): void {
  const first = reader.next();
  if (first === jsonBytes.quote) skipString(reader);
  else if (first === jsonBytes.letterN) reader.skipWord('ull');
  else if (first === jsonBytes.letterT) reader.skipWord('rue');
  else if (first === jsonBytes.letterF) reader.skipWord('alse');
  else if (first === jsonBytes.zero) {
    reader.back();
    skipDouble(reader);
  } else if (first === jsonBytes.minus || isDigit(first)) skipNumber(reader);
  else if (first === jsonBytes.bracketOpen) skipList(reader);
  else if (first === jsonBytes.braceOpen) skipObject(reader);
  else reader.fail('Skip', `do not know how to skip: ${first}`);
}

function skipString(reader: JsonReader): void {
  const { bytes, head } = reader;
  const end = bytes.indexOf(jsonBytes.quote, head);
  if (end >= 0 && !bytes.subarray(head, end).includes(jsonBytes.backslash)) reader.head = end + 1;
  else {
    reader.back();
    reader.readString();
  }
}

/** What may stand behind a number. */
const endsNumber = (byte: number): boolean =>
  isBlank(byte) ||
  byte === jsonBytes.comma ||
  byte === jsonBytes.bracketClose ||
  byte === jsonBytes.braceClose;

function skipNumber(reader: JsonReader): undefined {
  const { bytes } = reader;
  let hasDot = false;
  for (let at = reader.head; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isDigit(byte)) continue;
    if (byte === jsonBytes.dot) {
      if (hasDot) return reader.fail('validateNumber', 'more than one dot found in number');
      if (!isDigit(bytes[at + 1] ?? 0)) return reader.fail('validateNumber', 'missing digit after dot');
      hasDot = true;
      continue;
    }
    if (!endsNumber(byte)) break;
    reader.head = at;
    return undefined;
  }
  reader.back();
  if (reader.message !== undefined || Number.isFinite(skipDouble(reader))) return undefined;
  // It tries again to read what it has taken already.
  return reader.fail('readNumberAsString', 'invalid number');
}

function skipDouble(reader: JsonReader): number {
  if (reader.next() !== jsonBytes.minus) reader.back();
  return Number(reader.takeNumberText());
}

/** True when a list or object begins where one is to begin: its first byte was read, and is read again if it can be. */
function beginsAgain(reader: JsonReader, open: number): boolean {
  reader.back();
  const first = reader.next();
  if (first === jsonBytes.letterN) reader.skipWord('ull');
  return first === open;
}

function skipList(reader: JsonReader): void {
  if (!beginsAgain(reader, jsonBytes.bracketOpen)) return;
  let next = reader.next();
  if (next === jsonBytes.bracketClose) return;
  reader.back();
  do {
    skipValue(reader);
    next = reader.next();
  } while (next === jsonBytes.comma);
  if (next !== jsonBytes.bracketClose) reader.failAt('ReadArrayCB', 'expect ] in the end, but found ', next);
}

function skipObject(reader: JsonReader): undefined {
  if (!beginsAgain(reader, jsonBytes.braceOpen)) return undefined;
  let next = reader.next();
  if (next === jsonBytes.braceClose) return undefined;
  if (next !== jsonBytes.quote) return reader.failAt('ReadObjectCB', 'expect " after {, but found ', next);
  reader.back();
  do {
    reader.readString();
    const after = reader.next();
    if (after !== jsonBytes.colon)
      reader.failAt('ReadObject', 'expect : after object field, but found ', after);
    skipValue(reader);
    next = reader.next();
  } while (next === jsonBytes.comma);
  if (next !== jsonBytes.braceClose) reader.fail('ReadObjectCB', 'object not ended with }');
  return undefined;
}
