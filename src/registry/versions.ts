import { parseExact } from '../base/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { copyOf, formatGroupVersion } from '../machinery/schema/index.ts';
import type { ServedKind } from './resource-store.ts';

/** An object of a served version in the storage version. The input may be reused. */
export function toStorageVersion(served: ServedKind, object: ApiObject): ApiObject {
  const { storageKind } = served.store;
  const converted = served.conversion === undefined ? object : served.conversion.toStorage(object);
  // What takes any members says itself what it is, and its rules check that.
  if (served.type.isUnstructured !== true) converted.kind = storageKind.kind;
  converted.apiVersion = formatGroupVersion(storageKind.group, storageKind.version);
  return converted;
}

/** A stored object in a served version. The input may be reused. */
export function fromStorageVersion(served: ServedKind, object: ApiObject): ApiObject {
  const converted = served.conversion === undefined ? object : served.conversion.fromStorage(object);
  if (served.type.isUnstructured !== true) converted.kind = served.kind.kind;
  converted.apiVersion = formatGroupVersion(served.kind.group, served.kind.version);
  return converted;
}

/**
 * The same in canonical form, as requests are decoded and answers are written: with null where the version's form has
 * one. The input may be reused.
 */
export function canonicalFromStorage(served: ServedKind, object: ApiObject): ApiObject {
  const converted = fromStorageVersion(served, object);
  return served.conversion === undefined ? converted : canonicalOf(served, converted);
}

/** An object of a served version in canonical form. The type is the kind's, and gives objects with metadata. */
export const canonicalOf = ({ type }: Pick<ServedKind, 'type'>, object: object): ApiObject =>
  type.canonicalize(object) as unknown as ApiObject;

/**
 * The same without using up the input. In canonical form, since what is only written as null must not look like a change.
 * Parts may be shared: neither may be changed then.
 */
export const inServedVersion = (served: ServedKind, object: ApiObject): ApiObject =>
  canonicalFromStorage(served, served.conversion === undefined ? { ...object } : copyOf(object));

/** A stored or served object's tree. */
export function parseStored(bytes: Buffer): ApiObject {
  // Only canonical objects are stored, and what is served is made from them.
  return parseExact(bytes.toString()) as ApiObject;
}
