import type { ControllerContext } from './controller.ts';
import { type FollowedObject, type FollowOptions, followCollection } from './follow-collection.ts';

/**
 * Calls `onChange` with the key of every object that is there, changed or went away; with the object unless it is
 * gone. Keys are all that is kept.
 */
export async function followNames<T extends FollowedObject>(
  context: ControllerContext,
  options: Omit<FollowOptions<T>, 'listener' | 'signal'>,
  onChange: (key: ObjectKey, object: T | undefined) => void,
): Promise<void> {
  let known = new Map<string, ObjectKey>();
  let unseen = new Map<string, ObjectKey>();
  const observe = (object: T): void => {
    const key = keyOf(object);
    const text = `${key.namespace}/${key.name}`;
    known.set(text, key);
    unseen.delete(text);
    onChange(key, object);
  };
  await followCollection<T>(context, {
    ...options,
    signal: context.signal,
    listener: {
      onListing() {
        unseen = known;
        known = new Map(known);
      },
      onObserved: observe,
      onListed() {
        for (const [text, key] of unseen) {
          known.delete(text);
          onChange(key, undefined);
        }
        unseen = new Map();
      },
      onDeleted(object) {
        const key = keyOf(object);
        known.delete(`${key.namespace}/${key.name}`);
        onChange(key, undefined);
      },
    },
  });
}

/** Which object of a resource. `namespace` is empty for cluster-scoped ones. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

function keyOf({ metadata }: FollowedObject): ObjectKey {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}
