import { jsonBytes, parseExact } from '../../base/index.ts';
import type { ApiObject, ObjectMeta } from '../meta/index.ts';
import { CompactJsonError, findMember, skipString, skipValue } from './compact-json.ts';

const { comma, braceOpen, braceClose } = jsonBytes;
const owners = Buffer.from('"managedFields"');

/** Where the parts of an object's JSON are that are often passed on, or passed over, as they are. */
export interface MetadataParts {
  /** `metadata` with its braces. */
  readonly start: number;
  readonly end: number;
  /** `managedFields` with its name and the comma before it; empty, at the end, when there are none. */
  readonly ownersStart: number;
  readonly ownersEnd: number;
}

/**
 * Finds the metadata in the compact JSON of an object of the API.
 *
 * @throws CompactJsonError for bytes that are none.
 */
export function splitMetadata(bytes: Buffer): MetadataParts {
  const start = bytes[0] === braceOpen ? findMember(bytes, 1, 'metadata') : -1;
  if (start < 0 || bytes[start] !== braceOpen) throw new CompactJsonError('no metadata');
  let at = start + 1;
  let ownersStart = 0;
  let ownersEnd = 0;
  if (bytes[at] === braceClose) return { start, end: at + 1, ownersStart: at, ownersEnd: at };
  for (;;) {
    const nameEnd = skipString(bytes, at);
    const end = skipValue(bytes, nameEnd + 1);
    if (isOwners(bytes, at, nameEnd)) {
      ownersStart = bytes[at - 1] === comma ? at - 1 : at;
      ownersEnd = end;
    }
    if (bytes[end] === braceClose) {
      return ownersEnd === 0
        ? { start, end: end + 1, ownersStart: end, ownersEnd: end }
        : { start, end: end + 1, ownersStart, ownersEnd };
    }
    if (bytes[end] !== comma) throw new CompactJsonError('no comma between members');
    at = end + 1;
  }
}

const isOwners = (bytes: Buffer, start: number, end: number): boolean =>
  end - start === owners.length && bytes.compare(owners, 0, owners.length, start, end) === 0;

/**
 * The object without its record of owners, which is often half of it and seldom looked at.
 *
 * @throws CompactJsonError, SyntaxError for bytes that are no object of the API.
 */
export function parseWithoutOwners(bytes: Buffer, parts: MetadataParts): ApiObject {
  const text =
    bytes.toString('utf8', 0, parts.ownersStart) + bytes.toString('utf8', endOfOwners(bytes, parts));
  return parseExact(text) as ApiObject; // what has metadata is one
}

/**
 * The metadata alone, without the record of owners; what else the object has is not parsed.
 *
 * @throws CompactJsonError, SyntaxError for bytes that are no object of the API.
 */
export function parseMetadata(bytes: Buffer): ObjectMeta {
  const parts = splitMetadata(bytes);
  const text =
    bytes.toString('utf8', parts.start, parts.ownersStart) +
    bytes.toString('utf8', endOfOwners(bytes, parts), parts.end);
  return parseExact(text) as ObjectMeta; // canonical metadata is stored
}

/**
 * The bytes without the record of owners; undefined where there is none.
 *
 * @throws CompactJsonError for bytes that are no object of the API.
 */
export function cutOwners(bytes: Buffer): Buffer | undefined {
  const parts = splitMetadata(bytes);
  if (parts.ownersStart === parts.ownersEnd) return undefined;
  return Buffer.concat([bytes.subarray(0, parts.ownersStart), bytes.subarray(endOfOwners(bytes, parts))]);
}

/** As the first of several members the record leaves its comma to the next one. */
function endOfOwners(bytes: Buffer, { start, ownersStart, ownersEnd }: MetadataParts): number {
  return bytes[ownersEnd] === comma && ownersStart === start + 1 ? ownersEnd + 1 : ownersEnd;
}
