import type { ApiObject } from '../../machinery/meta/index.ts';
import type { VersionConversion } from './version-conversion.ts';

/** A conversion that renames fields at the top of an object: pairs of the served and the stored name. */
export function renameFields(
  pairs: ReadonlyArray<readonly [served: string, stored: string]>,
): VersionConversion {
  const toStored = new Map(pairs);
  const toServed = new Map(pairs.map(([served, stored]) => [stored, served]));
  return {
    toStorage: (object) => renamed(object, toStored),
    fromStorage: (object) => renamed(object, toServed),
  };
}

function renamed(object: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  const entries = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]);
  // Only fields beyond the common ones are renamed, so it is still an object.
  return Object.fromEntries(entries) as ApiObject;
}
