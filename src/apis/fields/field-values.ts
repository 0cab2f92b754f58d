import { ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ServedResource } from '../resources/index.ts';
import type { Event, Pod } from '../types/core-v1.ts';
import { storageKindsByPrefix } from './storage-kinds.ts';
import data from './values.json' with { type: 'json' };

/** Values by field; a field that is not in it is empty. */
export type FieldValues = Readonly<Record<string, string>>;

/** Values of the selectable fields of an object in the storage version of its kind. */
export type ReadFieldValues = (storageKind: string, object: object) => FieldValues;

interface FieldReader {
  readonly field: string;
  read(object: object): string;
}

/** Fields whose value does not stand at their own path, by storage kind and field. */
const specialReaders: Readonly<Record<string, (object: never) => string>> = {
  'v1.Pod status.podIP': ({ status }: Pod) => status.podIPs?.[0]?.ip ?? '',
  'v1.Event source': ({ source, reportingComponent }: Event) => source.component || reportingComponent,
  'batch/v1.Job status.successful': ({ status }: { status: { succeeded?: number | undefined } }) =>
    String(status.succeeded ?? 0),
};

/** `<kind> <field>` of the fields whose value does not stand at their own path; the same in every dialect. */
export const specialFields: ReadonlySet<string> = new Set(Object.keys(specialReaders));

/**
 * Makes the function that reads what field selectors match. Kinds are named in the dialect (`v1.Pod`); any other
 * kind has its name and namespace only.
 */
export function createFieldValues(dialect: Dialect): ReadFieldValues {
  // The inferred type has one shape per entry; every entry maps fields to their text when unset.
  const zeros = translateData(
    dialect,
    ownData<Readonly<Record<string, Readonly<Record<string, string>>>>>(data),
  );
  const readers = new Map<string, readonly FieldReader[]>(
    Object.entries(zeros).map(([kind, fields]) => [
      kind,
      Object.entries(fields).map(([field, zero]) => makeReader(kind, field, zero)),
    ]),
  );
  return (storageKind, object) => {
    // Everything stored has metadata.
    const { metadata } = object as ApiObject;
    const values: Record<string, string> = { 'metadata.name': metadata.name ?? '' };
    if (metadata.namespace !== undefined) values['metadata.namespace'] = metadata.namespace;
    for (const reader of readers.get(storageKind) ?? []) values[reader.field] = reader.read(object);
    return values;
  };
}

/** Reads selectable fields by key prefix in the store, as a cache over a store needs it. */
export function fieldValuesByPrefix(
  resources: readonly ServedResource[],
  read: ReadFieldValues,
): (storePrefix: string, object: unknown) => FieldValues {
  const kinds = storageKindsByPrefix(resources);
  // What a store holds are objects; anything else has no fields.
  return (storePrefix, object) =>
    typeof object === 'object' && object !== null ? read(kinds.get(storePrefix) ?? '', object) : {};
}

function makeReader(kind: string, field: string, zero: string): FieldReader {
  const special = specialReaders[`${kind} ${field}`];
  // The reader is registered for this kind, and the object is of it.
  if (special !== undefined) return { field, read: (object) => special(object as never) };
  const names = field.split('.');
  return { field, read: (object) => readText(object, names) ?? zero };
}

function readText(object: object, names: readonly string[]): string | undefined {
  let current: unknown = object;
  for (const name of names) {
    if (typeof current !== 'object' || current === null) return undefined;
    // Reading by name is safe on any object.
    current = (current as Readonly<Record<string, unknown>>)[name];
  }
  return typeof current === 'string' || typeof current === 'number' || typeof current === 'boolean'
    ? String(current)
    : undefined;
}
