import { CompactJsonError, findMember, skipValue } from '../../machinery/codec/index.ts';

const bracketOpen = 0x5b;
const braceOpen = 0x7b;
const quote = 0x22;
const letterN = 0x6e;

/**
 * The text of the scalar at `path` in compact JSON, without parsing the rest: strings as they are, numbers and
 * booleans as they are written. `undefined` when there is none, or no scalar; `null` when the bytes cannot be told.
 */
export function scanField(bytes: Buffer, path: readonly string[]): string | undefined | null {
  try {
    let at = 0;
    for (const name of path) {
      if (bytes[at] !== braceOpen) return undefined;
      at = findMember(bytes, at + 1, name);
      if (at < 0) return undefined;
    }
    return readScalar(bytes, at);
  } catch (error) {
    if (error instanceof CompactJsonError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function readScalar(bytes: Buffer, at: number): string | undefined {
  const first = bytes[at];
  if (first === braceOpen || first === bracketOpen || first === letterN) return undefined;
  const end = skipValue(bytes, at);
  if (first !== quote) return bytes.toString('latin1', at, end);
  const text = bytes.toString('utf8', at + 1, end - 1);
  // Escaped text is rare.
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
