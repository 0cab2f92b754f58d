import { decodeStored, keyOf, type Stores } from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';

/** Resources that tokens may depend on. */
export type BoundResource = 'serviceaccounts' | 'pods' | 'secrets';

/** The fields of an object that decide whether tokens bound to it are valid. */
export interface BoundObject {
  readonly uid: string;
  readonly deletedAtMs: number | undefined;
}

/** Finds an object that a token names, in memory. */
export type BoundObjectLookup = (
  resource: BoundResource,
  namespace: string,
  name: string,
) => BoundObject | undefined;

/** Looks objects up in the caches of stores; each version of an object is parsed once. */
export function boundObjectsOf(stores: Stores): BoundObjectLookup {
  const known = new WeakMap<CachedObject, BoundObject>();
  return (resource, namespace, name) => {
    const store = stores.stores.get(`/${resource}`);
    const object = store?.cache.get(keyOf(store, namespace, name));
    if (object === undefined) return undefined;
    let found = known.get(object);
    if (found === undefined) {
      const { uid = '', deletionTimestamp } = decodeStored(object).metadata;
      found = { uid, deletedAtMs: deletionTimestamp ? Date.parse(deletionTimestamp) : undefined };
      known.set(object, found);
    }
    return found;
  };
}
