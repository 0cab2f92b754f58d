import { deepEqual } from '../../apis/validation/index.ts';
import type { ApiObject, OwnerReference } from '../../machinery/meta/index.ts';
import type { SharedInformer } from '../shared-informers.ts';
import { controllerOf } from './claims.ts';

/** Who is told of the objects that they own, such as pods. Owners go by the keys of their queue. */
export interface OwnerListener<T> {
  /** The key of the owner that a reference means; undefined when it is of another kind, gone, or another object. */
  keyOf(reference: OwnerReference, namespace: string): string | undefined;
  /** Keys of the owners that might adopt an object which has none. */
  adopters(object: T): readonly string[];
  onCreated?(key: string): void;
  /** Its deletion has begun, or ended: both are told. */
  onDeleted?(key: string, uid: string): void;
  /** Something changed: the owner is to be looked at again. */
  onChange(key: string, object: T, previous?: T): void;
}

/** Tells owners of what happens to what they own, and might adopt. Source: release 1.20, `ReplicaSetController`. */
export function followOwned<T extends ApiObject>(
  informer: SharedInformer<T>,
  owners: OwnerListener<T>,
): void {
  const keyFor = (object: T): string | undefined => {
    const reference = controllerOf(object);
    return reference && owners.keyOf(reference, object.metadata.namespace ?? '');
  };
  const offer = (object: T): void => {
    for (const key of owners.adopters(object)) owners.onChange(key, object);
  };
  const remove = (object: T): void => {
    const key = keyFor(object);
    if (key === undefined) return;
    owners.onDeleted?.(key, object.metadata.uid ?? '');
    owners.onChange(key, object);
  };
  informer.listen({
    onAdd(object) {
      // After a restart something may come that is going already.
      if (object.metadata.deletionTimestamp) {
        remove(object);
        return;
      }
      const key = keyFor(object);
      if (key !== undefined) {
        owners.onCreated?.(key);
        owners.onChange(key, object);
      } else if (controllerOf(object) === undefined) offer(object);
    },
    onUpdate(object, previous) {
      const hasOtherLabels = !deepEqual(object.metadata.labels, previous.metadata.labels);
      if (object.metadata.deletionTimestamp) {
        remove(object);
        if (hasOtherLabels) remove(previous);
        return;
      }
      const reference = controllerOf(object);
      const hasOtherOwner = controllerOf(previous)?.uid !== reference?.uid;
      if (hasOtherOwner) {
        const before = keyFor(previous);
        if (before !== undefined) owners.onChange(before, object, previous);
      }
      if (reference !== undefined) {
        const key = keyFor(object);
        if (key !== undefined) owners.onChange(key, object, previous);
      } else if (hasOtherLabels || hasOtherOwner) offer(object);
    },
    onDelete: remove,
  });
}
