import { type ApiObject, textOf } from '../meta/index.ts';
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
  const changed = { ...object, metadata: { ...metadata, resourceVersion: '0' } };
  // The type is a kind's: its objects have metadata.
  const canonical = type.canonicalize(changed) as unknown as ApiObject;
  // The version above is kept because it is not empty.
  canonical.metadata.resourceVersion = '';
  return canonical.metadata.managedFields ? Buffer.from(textWithOwners(canonical)) : encodeObject(canonical);
}

/** The record of owners is half of a small object, and that of many is the same: its texts are kept with it. */
function textWithOwners(canonical: ApiObject): string {
  const { managedFields = [], ...metadata } = canonical.metadata;
  const entries = managedFields.map(({ fieldsV1, ...entry }) => {
    const text = JSON.stringify(entry);
    // It is the last field of an entry, as the record is of the metadata.
    return fieldsV1 ? withLast(text, `"fieldsV1":${textOf(fieldsV1)}`) : text;
  });
  const metadataText = withLast(JSON.stringify(metadata), `"managedFields":[${entries.join(',')}]`);
  let text = '';
  for (const [name, value] of Object.entries(canonical)) {
    text += `${text === '' ? '{' : ','}"${name}":${name === 'metadata' ? metadataText : JSON.stringify(value)}`;
  }
  return `${text}}`;
}

/** The text of an object with one more member. */
const withLast = (text: string, member: string): string =>
  `${text.slice(0, -1)}${text === '{}' ? '' : ','}${member}}`;
