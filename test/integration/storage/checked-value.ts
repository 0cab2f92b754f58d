import { createHash } from 'node:crypto';

/** JSON of an object whose content carries its own checksum, so that a torn value is noticed. */
export function makeCheckedValue(content: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      kind: 'Thing',
      apiVersion: 'v1',
      metadata: { name: 'x', resourceVersion: '' },
      spec: { content, checksum: checksumOf(content) },
    }),
  );
}

/** The checksum in a stored value. @throws Error when the value is torn or is not of `revision`. */
export function readChecksum(bytes: Buffer, revision: number): string {
  // Written by `makeCheckedValue` only; anything else throws right here.
  const value = JSON.parse(bytes.toString()) as {
    readonly metadata: { readonly resourceVersion: string };
    readonly spec: { readonly content: string; readonly checksum: string };
  };
  if (value.metadata.resourceVersion !== String(revision))
    throw new Error(`value is not of revision ${revision}`);
  if (checksumOf(value.spec.content) !== value.spec.checksum) throw new Error(`value of ${revision} is torn`);
  return value.spec.checksum;
}

function checksumOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
