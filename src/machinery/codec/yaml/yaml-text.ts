import { findUtf8Fault, incompleteCharacter } from './utf8-fault.ts';

/** A text as far as its reader got. */
export interface YamlText {
  readonly text: string;
  /** Why nothing can be read behind the text; undefined where it has ended. */
  readonly fault: string | undefined;
}

/** The reader takes so many bytes at a time, and gives none of those among which a wrong one is. */
const chunkBytes = 512;

const noControl = 'control characters are not allowed';
const noText = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The text of a document's bytes: UTF-8, or UTF-16 where a byte order mark says so. */
export function readYamlText(bytes: Buffer): YamlText {
  const mark = bytes.toString('hex', 0, 3);
  if (mark.startsWith('fffe')) return readUtf16(bytes.subarray(2));
  if (mark.startsWith('feff')) return readUtf16(swapped(bytes.subarray(2)));
  return readUtf8(bytes, mark === 'efbbbf' ? 3 : 0);
}

function readUtf8(bytes: Buffer, from: number): YamlText {
  const found = findUtf8Fault(bytes);
  const readable = bytes.subarray(from, found?.at).toString('utf8');
  const control = noText.exec(readable);
  if (control !== null) {
    const at = from + Buffer.byteLength(readable.slice(0, control.index));
    return { text: textBefore(bytes, from, at), fault: noControl };
  }
  if (found === undefined || found.fault === incompleteCharacter)
    return { text: readable, fault: found?.fault };
  return { text: textBefore(bytes, from, found.at), fault: found.fault };
}

const textBefore = (bytes: Buffer, from: number, at: number): string =>
  bytes.subarray(from, Math.max(from, chunkStart(bytes, at))).toString('utf8');

/** Where the chunk begins in which a byte is. A character that a chunk would cut goes to the next. */
function chunkStart(bytes: Buffer, at: number): number {
  let start = 0;
  for (;;) {
    let end = start + chunkBytes;
    if (end > at) return start;
    while (end > start && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    if (end > at) return start;
    start = end;
  }
}

function swapped(bytes: Buffer): Buffer {
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
  return Buffer.concat([even, bytes.subarray(even.length)]);
}

function readUtf16(bytes: Buffer): YamlText {
  const units = bytes.toString('utf16le');
  // Halves of characters do not match, being none.
  const wrong = noText.exec(units);
  if (wrong === null) {
    return { text: units, fault: bytes.length % 2 === 0 ? undefined : 'incomplete UTF-16 character' };
  }
  const unit = units.charCodeAt(wrong.index);
  const start = Math.floor((wrong.index * 2 + 2) / chunkBytes) * chunkBytes;
  return { text: units.slice(0, Math.max(0, start / 2 - 1)), fault: utf16Fault(unit, wrong.index, bytes) };
}

function utf16Fault(unit: number, index: number, bytes: Buffer): string {
  if (unit >> 10 === 0b110111) return 'unexpected low surrogate area';
  if (unit >> 10 !== 0b110110) return noControl;
  return bytes.length < index * 2 + 4 ? 'incomplete UTF-16 surrogate pair' : 'expected low surrogate area';
}
