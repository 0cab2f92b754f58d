import { ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import type { ServedResource } from '../resources/index.ts';
import { specialFields } from './field-values.ts';
import indexes from './indexes.json' with { type: 'json' };
import { storageKindsByPrefix } from './storage-kinds.ts';
import values from './values.json' with { type: 'json' };

/** Where a field stands in the stored JSON of an object, and its text when it is not there. */
export interface FieldPlace {
  readonly path: readonly string[];
  readonly zero: string;
}

/** Selectable fields by key prefix in the store. */
export interface FieldLayout {
  /** Undefined for fields that are more than the text of one place, and for those that the kind does not have. */
  locate(storePrefix: string, field: string): FieldPlace | undefined;
  /** Fields worth an index, the most selective first. */
  indexedFields(storePrefix: string): readonly string[];
}

const metadata: readonly (readonly [string, FieldPlace])[] = ['name', 'namespace'].map((name) => [
  `metadata.${name}`,
  { path: ['metadata', name], zero: '' },
]);

/** Tells where selectable fields stand, so that they can be read without decoding the object. */
export function createFieldLayout(dialect: Dialect, resources: readonly ServedResource[]): FieldLayout {
  // The inferred types have one shape per entry; these are what every entry is.
  const zeros = translateData(
    dialect,
    ownData<Readonly<Record<string, Readonly<Record<string, string>>>>>(values),
  );
  const indexed = translateData(dialect, ownData<Readonly<Record<string, readonly string[]>>>(indexes));
  const kinds = storageKindsByPrefix(resources);
  const places = new Map<string, ReadonlyMap<string, FieldPlace>>();
  const placesOf = (kind: string): ReadonlyMap<string, FieldPlace> => {
    const known = places.get(kind);
    if (known !== undefined) return known;
    const made = makePlaces(kind, zeros[kind] ?? {});
    places.set(kind, made);
    return made;
  };
  return {
    locate: (storePrefix, field) => placesOf(kinds.get(storePrefix) ?? '').get(field),
    indexedFields: (storePrefix) => indexed[kinds.get(storePrefix) ?? ''] ?? [],
  };
}

function makePlaces(kind: string, zeros: Readonly<Record<string, string>>): ReadonlyMap<string, FieldPlace> {
  const places = new Map(metadata);
  for (const [field, zero] of Object.entries(zeros)) {
    if (!specialFields.has(`${kind} ${field}`)) places.set(field, { path: field.split('.'), zero });
  }
  return places;
}
