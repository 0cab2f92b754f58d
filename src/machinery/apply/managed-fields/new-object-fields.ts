import { isJsonObject, type Steps } from '../../../base/index.ts';
import { equalFieldSets, type FieldSet } from '../fieldpath/field-set.ts';
import { unionOf } from '../fieldpath/set-algebra.ts';
import { compareTyped, hasWritten } from '../typed/compare.ts';
import type { ApplySchema } from '../typed/view.ts';
import { withoutUnowned } from './strip.ts';

/** How many templates are remembered. */
export const rememberedTemplates = 500;

/** What whoever creates an object owns of it. Sets of objects with the same fields are mostly the same value. */
export type NewObjectFields = (schema: ApplySchema, object: Record<string, unknown>) => Steps<FieldSet>;

interface KnownFields {
  /** All that the object has beside what every object of its type has. */
  readonly written: FieldSet;
  readonly owned: FieldSet;
  /** It came twice in a row: worth comparing the next object with it before anything is collected. */
  isUsual: boolean;
}

/**
 * Finds the fields of new objects. Those that are made from one template have the same fields, and the record is half of
 * a small object: so what was found for the last object of each template is remembered, for `capacity` templates.
 */
export function createNewObjectFields({ capacity }: { readonly capacity: number }): NewObjectFields {
  const known = new Map<string, KnownFields>();
  return function* (schema, object) {
    const empty = schema.emptyObject();
    const key = templateOf(object);
    const last = known.get(key);
    if (last?.isUsual === true && hasWritten(schema.root, empty, object, last.written)) return last.owned;
    yield;
    const { added, modified } = compareTyped(schema.root, empty, object);
    yield;
    const written = unionOf(modified, added);
    if (last !== undefined && equalFieldSets(written, last.written)) {
      last.isUsual = true;
      return last.owned;
    }
    const owned = withoutUnowned(written);
    remember(known, key, { written, owned, isUsual: false }, capacity);
    return owned;
  };
}

/** A set that whoever applies configurations of one template mostly owns: the one of last time, where that is the same. */
export type AppliedFields = (config: Record<string, unknown>, set: FieldSet) => FieldSet;

/** Keeps the last set of each template, for `capacity` templates: what is known of it, its text above all, is not made anew. */
export function createAppliedFields({ capacity }: { readonly capacity: number }): AppliedFields {
  const known = new Map<string, FieldSet>();
  return (config, set) => {
    const key = templateOf(config);
    const last = known.get(key);
    if (last !== undefined && equalFieldSets(last, set)) return last;
    remember(known, key, set, capacity);
    return set;
  };
}

/** Enters a value as the youngest; the oldest goes for it. */
function remember<T>(known: Map<string, T>, key: string, value: T, capacity: number): void {
  known.delete(key);
  known.set(key, value);
  if (known.size <= capacity) return;
  for (const oldest of known.keys()) {
    known.delete(oldest);
    break;
  }
}

/** Whatever objects of one template have in common; only a guess, as what is found is compared. */
function templateOf({ apiVersion, kind, metadata }: Record<string, unknown>): string {
  const { generateName = '', namespace = '' } = isJsonObject(metadata) ? metadata : {};
  return `${apiVersion} ${kind} ${namespace} ${generateName}`;
}
