import { asJsonObject, type Steps, takeSteps } from '../../base/index.ts';
import { type ApiObject, type ObjectMeta, textOf } from '../meta/index.ts';
import type { CompiledType } from '../schema/index.ts';

/** JSON bytes of an object in canonical form. */
export function encodeObject(canonical: object): Buffer {
  return Buffer.from(JSON.stringify(canonical));
}

/**
 * Bytes to store: canonical JSON whose first `"resourceVersion":"` is that of the metadata, there even when
 * empty, for storage to stamp the revision in. The object is not changed.
 */
export const encodeForStorage = (type: CompiledType, object: object, resourceVersion?: string): Buffer =>
  takeSteps(encodeInSteps(type, object, resourceVersion));

/** The same, for large objects in steps. */
export function* encodeInSteps(type: CompiledType, object: object, resourceVersion = ''): Steps<Buffer> {
  const metadata = asJsonObject('metadata' in object ? object.metadata : undefined);
  const changed = { ...object, metadata: { ...metadata, resourceVersion: '0' } };
  // The type is a kind's: its objects have metadata, which are never shared.
  const canonical = (type.decodeShared?.(changed) ?? type.canonicalize(changed)) as unknown as ApiObject;
  // The version above is kept because it is not empty.
  canonical.metadata.resourceVersion = resourceVersion;
  yield;
  return canonical.metadata.managedFields ? Buffer.from(textWithOwners(canonical)) : encodeObject(canonical);
}

/** What `encodeForStorage` made of an object, and where its metadata are in that. */
export interface EncodedObject {
  readonly bytes: Buffer;
  /** Of the value of `metadata`, with its braces. */
  readonly start: number;
  readonly end: number;
}

/**
 * What `encodeForStorage` gives for an encoded object with other metadata.
 *
 * @param type of the metadata
 */
export function encodeMetadata(
  type: CompiledType,
  { bytes, start, end }: EncodedObject,
  { metadata, resourceVersion }: { readonly metadata: ObjectMeta; readonly resourceVersion: string },
): Buffer {
  // A type gives objects of itself; the version is kept because it is not empty.
  const canonical = type.canonicalize({ ...metadata, resourceVersion: '0' }) as ObjectMeta;
  canonical.resourceVersion = resourceVersion;
  const text = textOfMetadata(canonical);
  const length = Buffer.byteLength(text);
  const encoded = Buffer.allocUnsafe(start + length + bytes.length - end);
  bytes.copy(encoded, 0, 0, start);
  encoded.write(text, start);
  bytes.copy(encoded, start + length, end);
  return encoded;
}

function textWithOwners(canonical: ApiObject): string {
  let text = '';
  for (const [name, value] of Object.entries(canonical)) {
    const member = name === 'metadata' ? textOfMetadata(canonical.metadata) : JSON.stringify(value);
    text += `${text === '' ? '{' : ','}"${name}":${member}`;
  }
  return `${text}}`;
}

/** The record of owners is half of a small object, and that of many is the same: its texts are kept with it. */
function textOfMetadata({ managedFields = [], ...metadata }: ObjectMeta): string {
  const text = JSON.stringify(metadata);
  if (managedFields.length === 0) return text;
  const entries = managedFields.map(({ fieldsV1, ...entry }) => {
    const text = JSON.stringify(entry);
    // It is the last field of an entry, as the record is of the metadata.
    return fieldsV1 ? withLast(text, `"fieldsV1":${textOf(fieldsV1)}`) : text;
  });
  return withLast(text, `"managedFields":[${entries.join(',')}]`);
}

/** The text of an object with one more member. */
const withLast = (text: string, member: string): string =>
  `${text.slice(0, -1)}${text === '{}' ? '' : ','}${member}}`;
