import type { CompiledType } from '../schema/index.ts';

/** JSON bytes of an object in canonical form. */
export function encodeObject(canonical: object): Buffer {
  return Buffer.from(JSON.stringify(canonical));
}

/**
 * Bytes to store: canonical JSON whose first `"resourceVersion":"` is that of the metadata, there even when
 * empty, for storage to stamp the revision in. The object is not changed.
 */
export function encodeForStorage(type: CompiledType, object: object): Buffer {
  const { metadata } = object as { readonly metadata?: object };
  const canonical = type.canonicalize({ ...object, metadata: { ...metadata, resourceVersion: '0' } });
  // The type is a kind's: its metadata is an object, and the version above is kept because it is not empty.
  (canonical.metadata as { resourceVersion: string }).resourceVersion = '';
  return encodeObject(canonical);
}
