import type { StorageEvent, StoredObject } from '../contract.ts';
import { restoreObject } from '../stored-value.ts';
import { deleteEvent, type KeyValue, toNumber, type WatchedChange } from './protocol.ts';

/** The object that a key holds, or why it is none. */
export function decodeObject(kv: KeyValue): StoredObject {
  return restoreObject(kv.key, toNumber(kv.modRevision), kv.value);
}

/** A change as the contract's event. */
export function decodeChange({ type, kv, prevKv }: WatchedChange): StorageEvent {
  const previous = prevKv === undefined || prevKv === null ? undefined : decodeObject(prevKv);
  if (type !== deleteEvent) {
    const object = decodeObject(kv);
    return { kind: 'put', revision: object.revision, object, previous };
  }
  const revision = toNumber(kv.modRevision);
  return {
    kind: 'delete',
    revision,
    object: restoreObject(kv.key, revision, prevKv?.value ?? kv.value),
    previous,
  };
}
