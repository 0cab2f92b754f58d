import type { ApiObject } from '../../machinery/meta/index.ts';
import { jsonEqual } from '../../machinery/patch/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import { type Change, changeAttributes } from '../attributes.ts';
import type { ResourceStore } from '../resource-store.ts';
import type { WrittenObject } from './store-writes.ts';

/** The last request that changed nothing of an object, for each version of one. */
const fingerprints = new WeakMap<CachedObject, string>();

/** Remembers that a request changes nothing of this version of an object. */
export function rememberUnchanged(stored: CachedObject, fingerprint: string): void {
  fingerprints.set(stored, fingerprint);
}

/**
 * Outcome of a request that is known to change nothing: repeated applies cost little. Only admission runs, as it
 * depends on more than object and request. Undefined when the outcome is not known, or when admission changes
 * something.
 *
 * @throws StatusError when admission refuses.
 */
export async function confirmUnchanged(
  store: ResourceStore,
  stored: CachedObject,
  request: Pick<Change, 'subresource' | 'options'> & { readonly fingerprint?: string | undefined },
): Promise<WrittenObject | undefined> {
  const { fingerprint, subresource, options } = request;
  if (fingerprint === undefined || fingerprints.get(stored) !== fingerprint) return undefined;
  const oldObject = store.storedOwners.decode(stored);
  const object = store.storedOwners.decode(stored);
  const change = changeAttributes(store, 'UPDATE', { object, oldObject, subresource, options });
  await store.admission.admit(change);
  if (!jsonEqual(object, oldObject)) return undefined;
  await store.admission.validate(change);
  return { bytes: stored.bytes };
}

/**
 * The stored bytes when only times in the record of owners differ from them; undefined when anything else does.
 * Otherwise values that are equal but written differently, such as quantities, would cause a write with every apply.
 */
export function withOldTimes(
  {
    object,
    old,
    stored,
  }: { readonly object: ApiObject; readonly old: ApiObject; readonly stored: CachedObject },
  encode: () => Buffer,
): Buffer | undefined {
  const { managedFields: owners = [] } = object.metadata;
  const { managedFields: oldOwners = [] } = old.metadata;
  const isSameButForTimes =
    owners.length === oldOwners.length &&
    owners.every((owner, index) =>
      jsonEqual({ ...owner, time: undefined }, { ...oldOwners[index], time: undefined }),
    );
  if (!isSameButForTimes) return undefined;
  object.metadata.managedFields = oldOwners;
  const value = encode();
  if (value.equals(stored.bytes)) return value;
  object.metadata.managedFields = owners;
  return undefined;
}
