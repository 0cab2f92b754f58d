import type { Pod } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import type { SharedInformer } from '../shared-informers.ts';
import { controllerOf } from './claims.ts';

/** Who is told of pods. Owners go by the keys of their queue. */
export interface PodOwners {
  /** The key of the owner that a reference means; undefined when it is of another kind, gone, or another object. */
  keyOf(reference: OwnerReference, namespace: string): string | undefined;
  /** Keys of the owners that might adopt a pod which has none. */
  adopters(pod: Pod): readonly string[];
  onCreated(key: string): void;
  /** Its deletion has begun or ended, once each. */
  onDeleted(key: string, uid: string): void;
  /** Something changed: the owner is to be looked at again. */
  onChange(key: string, pod: Pod, previous?: Pod): void;
}

/** Tells owners of what happens to their pods, and to those that they might adopt. Source: release 1.20, `ReplicaSetController`. */
export function followPods(pods: SharedInformer<Pod>, owners: PodOwners): void {
  const keyFor = (pod: Pod): string | undefined => {
    const reference = controllerOf(pod);
    return reference && owners.keyOf(reference, pod.metadata.namespace ?? '');
  };
  const offer = (pod: Pod): void => {
    for (const key of owners.adopters(pod)) owners.onChange(key, pod);
  };
  const remove = (pod: Pod): void => {
    const key = keyFor(pod);
    if (key === undefined) return;
    owners.onDeleted(key, pod.metadata.uid ?? '');
    owners.onChange(key, pod);
  };
  pods.listen({
    onAdd(pod) {
      // After a restart a pod may come to us that is going already.
      if (pod.metadata.deletionTimestamp) {
        remove(pod);
        return;
      }
      const key = keyFor(pod);
      if (key !== undefined) {
        owners.onCreated(key);
        owners.onChange(key, pod);
      } else if (controllerOf(pod) === undefined) offer(pod);
    },
    onUpdate(pod, previous) {
      const hasOtherLabels = !deepEqual(pod.metadata.labels, previous.metadata.labels);
      if (pod.metadata.deletionTimestamp) {
        remove(pod);
        if (hasOtherLabels) remove(previous);
        return;
      }
      const reference = controllerOf(pod);
      const hasOtherOwner = controllerOf(previous)?.uid !== reference?.uid;
      if (hasOtherOwner) {
        const before = keyFor(previous);
        if (before !== undefined) owners.onChange(before, pod, previous);
      }
      if (reference !== undefined) {
        const key = keyFor(pod);
        if (key !== undefined) owners.onChange(key, pod, previous);
      } else if (hasOtherLabels || hasOtherOwner) offer(pod);
    },
    onDelete: remove,
  });
}
