import { isUtf8 } from 'node:buffer';

/** The first byte that is not UTF-8 as go-yaml sees it. */
export interface Utf8Fault {
  readonly at: number;
  readonly fault: string;
}

/** Where bytes stop being UTF-8, and why; undefined for those that do not. */
export function findUtf8Fault(bytes: Buffer): Utf8Fault | undefined {
  if (isUtf8(bytes)) return undefined;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at] ?? 0);
    if (length === 0) return { at, fault: 'invalid leading UTF-8 octet' };
    if (length === 1) {
      at++; // most texts are little else
      continue;
    }
    const character = bytes.subarray(at, at + length);
    if (!isUtf8(character)) return { at, fault: describe(character, length) };
    at += length;
  }
  return undefined;
}

/** Bytes of a character by its first one; 0 for one that can be none. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first >> 5 === 0b110) return 2;
  if (first >> 4 === 0b1110) return 3;
  return first >> 3 === 0b11110 ? 4 : 0;
}

/** What is said of a character whose end is missing. */
export const incompleteCharacter = 'incomplete UTF-8 octet sequence';

/** Smallest characters that need so many bytes. */
const least: Readonly<Record<number, number>> = { 2: 0x80, 3: 0x800, 4: 0x10000 };

function describe(bytes: Buffer, length: number): string {
  if (bytes.length < length) return incompleteCharacter;
  const [first = 0, ...others] = bytes;
  if (others.some((byte) => byte >> 6 !== 0b10)) return 'invalid trailing UTF-8 octet';
  const value = others.reduce((sum, byte) => sum * 64 + (byte & 0x3f), first & (0x7f >> length));
  return value < (least[length] ?? 0) ? 'invalid length of a UTF-8 sequence' : 'invalid Unicode character';
}
