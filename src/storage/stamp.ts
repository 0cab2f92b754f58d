const marker = Buffer.from('"resourceVersion":"');

/**
 * A copy of `bytes` with `revision` as its `metadata.resourceVersion`, replacing the one that is there.
 * Holds because canonical JSON writes `kind`, `apiVersion`, then `metadata`, whose fields before
 * `resourceVersion` are strings, and a string cannot hold the marker unescaped.
 *
 * @throws RangeError when the bytes have no `resourceVersion`.
 */
export function stampRevision(bytes: Buffer, revision: number): Buffer {
  const at = bytes.indexOf(marker);
  if (at < 0) throw new RangeError('value has no resourceVersion to stamp');
  const start = at + marker.length;
  const end = bytes.indexOf(0x22, start);
  const digits = String(revision);
  const stamped = Buffer.allocUnsafe(start + digits.length + bytes.length - end);
  bytes.copy(stamped, 0, 0, start);
  stamped.write(digits, start, 'latin1');
  bytes.copy(stamped, start + digits.length, end);
  return stamped;
}
