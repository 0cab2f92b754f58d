import type { StorageEvent, StoredObject } from '../contract.ts';
import { deleteEvent, type KeyValue, toNumber, type WatchedChange } from './protocol.ts';
import { restoreRevision } from './stored-value.ts';

/** The object that a key holds. @throws StorageError `corrupt`. */
export function decodeObject(kv: KeyValue): StoredObject {
  const revision = toNumber(kv.modRevision);
  return { key: kv.key, revision, bytes: restoreRevision(kv.value, revision, kv.key) };
}

/** A change as the contract's event. @throws StorageError `corrupt`. */
export function decodeChange({ type, kv, prevKv }: WatchedChange): StorageEvent {
  const previous = prevKv === undefined || prevKv === null ? undefined : decodeObject(prevKv);
  if (type !== deleteEvent) {
    const object = decodeObject(kv);
    return { kind: 'put', revision: object.revision, object, previous };
  }
  const revision = toNumber(kv.modRevision);
  const bytes = restoreRevision(prevKv?.value ?? kv.value, revision, kv.key);
  return { kind: 'delete', revision, object: { key: kv.key, revision, bytes }, previous };
}
