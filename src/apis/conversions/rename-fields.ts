import type { ApiObject } from '../../machinery/meta/index.ts';
import type { VersionConversion } from './version-conversion.ts';

/**
 * A conversion that renames fields at the top of an object: pairs of the served and the stored name. `texts` are fields
 * that a stored object always has, and that a served one may leave out.
 */
export function renameFields(
  pairs: ReadonlyArray<readonly [served: string, stored: string]>,
  texts: readonly string[] = [],
): VersionConversion {
  const toStored = new Map(pairs);
  const toServed = new Map(pairs.map(([served, stored]) => [stored, served]));
  return {
    toStorage(object) {
      const stored = renamed(object, toStored);
      const empty = texts.filter((name) => !(name in stored)).map((name) => [name, '']);
      return Object.assign(stored, Object.fromEntries(empty));
    },
    fromStorage: (object) => renamed(object, toServed),
  };
}

function renamed(object: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  const entries = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]);
  // Only fields beyond the common ones are renamed, so it is still an object.
  return Object.fromEntries(entries) as ApiObject;
}
