import { jsonBytes } from '../../base/index.ts';

const { quote, comma, colon, backslash, bracketOpen, bracketClose, braceOpen, braceClose } = jsonBytes;

/** Bytes that are not JSON without white space. */
export class CompactJsonError extends Error {
  override readonly name = 'CompactJsonError';
}

/**
 * Offset of the value of member `name` of the object whose first member begins at `from`; -1 when it has none.
 *
 * @throws CompactJsonError
 */
export function findMember(bytes: Buffer, from: number, name: string): number {
  let at = from;
  if (bytes[at] === braceClose) return -1;
  for (;;) {
    if (bytes[at] !== quote) throw new CompactJsonError();
    const end = skipString(bytes, at);
    if (bytes[end] !== colon) throw new CompactJsonError();
    if (isName(bytes, at + 1, end - 1, name)) return end + 1;
    at = skipValue(bytes, end + 1);
    if (bytes[at] === braceClose) return -1;
    if (bytes[at] !== comma) throw new CompactJsonError();
    at++;
  }
}

/** Whether the bytes of a key, without its quotes, are `name`, which is plain ASCII. */
function isName(bytes: Buffer, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index++) {
    if (bytes[start + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

/** Offset behind the value at `at`. @throws CompactJsonError */
export function skipValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === quote) return skipString(bytes, at);
  if (first === braceOpen || first === bracketOpen) return skipNested(bytes, at);
  let end = at;
  for (; end < bytes.length; end++) {
    const byte = bytes[end];
    if (byte === comma || byte === braceClose || byte === bracketClose) break;
    if (byte === undefined || byte <= 0x20) throw new CompactJsonError();
  }
  if (end === at) throw new CompactJsonError();
  return end;
}

/** Offset behind the object or array at `at`. */
function skipNested(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = skipString(bytes, at) - 1;
    else if (byte === braceOpen || byte === bracketOpen) depth++;
    else if ((byte === braceClose || byte === bracketClose) && --depth === 0) return at + 1;
  }
  throw new CompactJsonError();
}

/** Offset behind the string whose opening quote is at `from`. @throws CompactJsonError */
export function skipString(bytes: Buffer, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at++;
  }
  throw new CompactJsonError();
}
