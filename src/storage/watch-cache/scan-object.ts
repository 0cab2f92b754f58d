import { jsonBytes } from '../../base/index.ts';
import { CompactJsonError, findMember, skipValue } from '../../machinery/codec/index.ts';
import { findRevision } from '../stamp.ts';

const { quote, backslash, bracketOpen, braceOpen, braceClose, letterN } = jsonBytes;

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

const noLabels = Object.freeze({});

const labelsKey = Buffer.from('"labels":{');
/** What may hold the first braces of metadata without labels: these fields come after labels. */
const laterKeys = ['"annotations":{', '"ownerReferences":[{', '"managedFields":[{'].map((text) =>
  Buffer.from(text),
);

/**
 * `metadata.labels` without parsing the rest, or undefined when that cannot be told from the bytes alone.
 * Canonical metadata holds nothing but scalars between `resourceVersion` and `labels`, so the first brace after
 * `resourceVersion` opens labels, opens a field that comes after labels, or closes the metadata.
 */
export function parseLabels(bytes: Buffer): Readonly<Record<string, string>> | undefined {
  const from = findRevision(bytes);
  if (bytes.subarray(0, from).includes(labelsKey)) return undefined;
  const brace = findBrace(bytes, from);
  if (brace < 0) return undefined;
  if (bytes[brace] === braceClose || laterKeys.some((key) => endsWith(bytes, brace, key))) return noLabels;
  if (!endsWith(bytes, brace, labelsKey)) return undefined;
  const end = findBrace(bytes, brace + 1);
  if (end < 0 || bytes[end] !== braceClose) return undefined;
  // A flat JSON object whose values the API has checked to be strings.
  return JSON.parse(bytes.toString('utf8', brace, end + 1)) as Record<string, string>;
}

/** Whether `text` ends at the byte at `last`. */
function endsWith(bytes: Buffer, last: number, text: Buffer): boolean {
  const start = last + 1 - text.length;
  return start >= 0 && bytes.compare(text, 0, text.length, start, last + 1) === 0;
}

/** Offset of the next brace outside of strings; `from` lies outside of strings, or inside one without escapes. */
function findBrace(bytes: Buffer, from: number): number {
  let isInString = from > 0 && bytes[from - 1] === quote;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) isInString = !isInString;
    else if (byte === backslash && isInString) at++;
    else if (!isInString && (byte === braceOpen || byte === braceClose)) return at;
  }
  return -1;
}
