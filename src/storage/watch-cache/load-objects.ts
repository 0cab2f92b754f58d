import type { TimeSlices } from '../../base/index.ts';
import type { Storage, StoredObject } from '../contract.ts';
import { keyAfter } from '../key-range.ts';
import { createSortedTree, type SortedTree } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { ResourceCache } from './resource-cache.ts';
import type { ResourceTable } from './resource-table.ts';
import type { UnreadableValue } from './unreadable-values.ts';

export interface LoadedObjects {
  readonly revision: number;
  /** In key order. */
  readonly objects: readonly StoredObject[];
}

/** Objects per read: few round trips, and no answer that holds the event loop for long. */
const pageSize = 1000;

/** Reads every object below `root` at one revision. */
export async function loadObjects(storage: Storage, root: string): Promise<LoadedObjects> {
  const objects: StoredObject[] = [];
  let next = storage.range({ prefix: root, limit: pageSize });
  for (;;) {
    const page = await next;
    const { revision } = page;
    const last = page.hasMore ? page.objects.at(-1) : undefined;
    // Asked for before this page is copied, so that the store reads meanwhile.
    if (last !== undefined) {
      next = storage.range({ prefix: root, limit: pageSize, startKey: keyAfter(last.key), revision });
    }
    for (const object of page.objects) objects.push(own(object));
    if (last === undefined) return { revision, objects };
  }
}

/** A copy that keeps no larger buffer alive, as a slice of a page would. */
function own(object: StoredObject): StoredObject {
  if (object.problem !== undefined || object.bytes.buffer.byteLength === object.bytes.length) return object;
  const bytes = Buffer.allocUnsafeSlow(object.bytes.length);
  object.bytes.copy(bytes);
  return { key: object.key, revision: object.revision, bytes, isStale: object.isStale };
}

/**
 * Makes the trees of all resources of the table, with rests in between, and resolves with what puts them in place, which
 * must be called at once.
 */
export async function arrangeObjects(
  { revision, objects }: LoadedObjects,
  table: ResourceTable,
  slices: TimeSlices,
): Promise<() => void> {
  const slice = slices.begin();
  for (;;) {
    const { revision: tableRevision } = table;
    const resources = table.all();
    const trees = new Map<ResourceCache, SortedTree<CachedObject>>();
    const unreadable = new Map<ResourceCache, Omit<UnreadableValue, 'since'>[]>();
    for (const resource of resources) {
      trees.set(resource, createSortedTree());
      unreadable.set(resource, []);
    }
    for (const object of objects) {
      const resource = table.find(object.key);
      const { key, problem } = object;
      if (problem !== undefined) {
        unreadable.get(resource)?.push({ key, revision: object.revision, problem });
      } else trees.get(resource)?.set(key, resource.adopt(object));
      if (slice.isSpent()) await slice.rest();
    }
    // A resource that joined meanwhile got no tree, and its objects went astray, as did those of one that left.
    if (table.revision !== tableRevision) continue;
    return () => {
      for (const [resource, tree] of trees) {
        resource.reset(tree, revision, unreadable.get(resource) ?? []);
      }
    };
  }
}
