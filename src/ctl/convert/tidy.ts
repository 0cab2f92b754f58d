import { isJsonObject, setOwn } from '../../base/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';

/** Status that every claim is given by default, also where claims are templates. */
const pendingClaim = '{"phase":"Pending"}';

/** What to leave out. */
export interface TidyOptions {
  /** The status is kept: the input had one. */
  readonly keepsStatus: boolean;
}

/** True for a value that says nothing at all: empty texts, lists and maps, and maps of just these. */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isBlank);
}

/**
 * A copy of an object of a kind that is not known, without the one null that tools write: the time at which an object
 * was made that has not been made yet.
 */
export function tidyUnknown(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata.creationTimestamp !== null) return object;
  const { creationTimestamp: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/**
 * A copy of an object without what only the encoding puts there: nulls, and empty messages that come back by
 * themselves when the object is read. Nothing that says something is left out, and unknown fields stay.
 */
export function tidyObject(
  catalog: TypeCatalog,
  typeName: string,
  object: Readonly<Record<string, unknown>>,
  { keepsStatus }: TidyOptions,
): Record<string, unknown> {
  const { status: _, ...rest } = object;
  return tidyMessage(catalog, typeName, keepsStatus ? object : rest);
}

function tidyMessage(
  catalog: TypeCatalog,
  typeName: string,
  message: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = new Map(catalog.type(typeName).fields.map((field) => [field.name, field]));
  const tidy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(message)) {
    const field = fields.get(name);
    if (value === null) continue;
    if (field === undefined) {
      setOwn(tidy, name, value);
      continue;
    }
    const kept = tidyValue(catalog, field.type, value);
    const isImplied = !field.isPointer && field.omitsEmpty && field.type.includes('.');
    if (isImplied && isJsonObject(kept) && Object.keys(kept).length === 0) continue;
    if (name === 'status' && typeName === 'v1.PersistentVolumeClaim' && JSON.stringify(kept) === pendingClaim)
      continue;
    setOwn(tidy, name, kept);
  }
  return tidy;
}

function tidyValue(catalog: TypeCatalog, type: string, value: unknown): unknown {
  if (type.startsWith('list<') && Array.isArray(value)) {
    return value.map((item) => tidyValue(catalog, type.slice(5, -1), item));
  }
  if (!isJsonObject(value)) return value;
  if (type.startsWith('map<string,')) {
    const element = type.slice(11, -1);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, tidyValue(catalog, element, item)]),
    );
  }
  // Values of types without fields have a JSON form of their own.
  return type.includes('.') && catalog.type(type).fields.length > 0
    ? tidyMessage(catalog, type, value)
    : value;
}
