/** What a stream of the archive library yields: it declares no type of its parts. @throws TypeError for no bytes */
export function asBytes(part: unknown): Buffer {
  if (!Buffer.isBuffer(part)) throw new TypeError('contents of an archive are bytes');
  return part;
}
