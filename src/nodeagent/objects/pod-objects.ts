import type { ApiObject } from '../../machinery/meta/index.ts';
import { type ObjectSource, objectKey } from './object-source.ts';

/** Objects of one resource, and which pods use them. */
export interface PodObjects<T extends ApiObject> {
  get: ObjectSource<T>['get'];
  /** The pod uses exactly these objects of its namespace from now on; none lets go of all. */
  use(podUid: string, namespace: string, names: ReadonlySet<string>): void;
}

const none: ReadonlySet<string> = new Set();

/**
 * Follows what pods use. `createSource` is given what it calls when an object has changed, and `onChange` is told the
 * pods that use it.
 */
export function createPodObjects<T extends ApiObject>(
  createSource: (onChange: (namespace: string, name: string) => void) => ObjectSource<T>,
  onChange: (podUid: string) => void,
): PodObjects<T> {
  const usersOf = new Map<string, Set<string>>();
  const usedBy = new Map<string, ReadonlySet<string>>();
  const source = createSource((namespace, name) => {
    for (const podUid of usersOf.get(objectKey(namespace, name)) ?? []) onChange(podUid);
  });
  return {
    get: (namespace, name) => source.get(namespace, name),
    use(podUid, namespace, names) {
      const before = usedBy.get(podUid) ?? none;
      for (const name of names) {
        if (before.has(name)) continue;
        const key = objectKey(namespace, name);
        usersOf.set(key, (usersOf.get(key) ?? new Set()).add(podUid));
        source.retain(namespace, name);
      }
      for (const name of before) {
        if (names.has(name)) continue;
        const users = usersOf.get(objectKey(namespace, name));
        users?.delete(podUid);
        if (users?.size === 0) usersOf.delete(objectKey(namespace, name));
        source.release(namespace, name);
      }
      if (names.size === 0) usedBy.delete(podUid);
      else usedBy.set(podUid, names);
    },
  };
}
