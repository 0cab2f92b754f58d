import { jsonBytes } from '../base/index.ts';

const marker = Buffer.from('"resourceVersion":"');
const { quote } = jsonBytes;

/**
 * Offset of the first character of the object's `metadata.resourceVersion`.
 * Holds because canonical JSON writes `kind`, `apiVersion`, then `metadata`, whose fields before
 * `resourceVersion` are strings, and a string cannot hold the marker unescaped.
 *
 * @throws RangeError when the bytes have no `resourceVersion`.
 */
export function findRevision(bytes: Uint8Array): number {
  const at = asBuffer(bytes).indexOf(marker);
  if (at < 0) throw new RangeError('value has no resourceVersion to stamp');
  return at + marker.length;
}

/**
 * A copy of `bytes` with `revision` as its `metadata.resourceVersion`, replacing the one that is there.
 * The copy owns its memory: keeping it alive keeps no other buffer alive.
 *
 * @param start offset that `findRevision` gave for these bytes; found again when left out.
 * @throws RangeError when the bytes have no `resourceVersion`.
 */
export function stampRevision(bytes: Uint8Array, revision: number, start = findRevision(bytes)): Buffer {
  const end = bytes.indexOf(quote, start);
  const digits = String(revision);
  // Not from the shared pool: one small object that lives long would keep a whole slab of it.
  const stamped = Buffer.allocUnsafeSlow(start + digits.length + bytes.length - end);
  writeStamped(stamped, 0, { bytes, start, end, digits });
  return stamped;
}

/** Bytes that `bytes` has once stamped with `revision`. */
export function stampedLength(bytes: Uint8Array, revision: number, start: number): number {
  return bytes.length - (bytes.indexOf(quote, start) - start) + String(revision).length;
}

/** Writes `bytes`, stamped with `revision`, into `target` at `offset` and returns how many bytes that took. */
export function stampInto(
  target: Buffer,
  offset: number,
  stamp: { readonly bytes: Uint8Array; readonly revision: number; readonly start: number },
): number {
  const { bytes, start } = stamp;
  const end = bytes.indexOf(quote, start);
  return writeStamped(target, offset, { bytes, start, end, digits: String(stamp.revision) });
}

interface StampParts {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

function writeStamped(target: Buffer, offset: number, { bytes, start, end, digits }: StampParts): number {
  const source = asBuffer(bytes);
  source.copy(target, offset, 0, start);
  target.write(digits, offset + start, 'latin1');
  source.copy(target, offset + start + digits.length, end);
  return start + digits.length + bytes.length - end;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
