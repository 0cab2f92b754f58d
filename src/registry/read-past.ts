import { keyAfter } from '../storage/index.ts';
import type { CachedObject, ListPage, ObjectPredicate } from '../storage/watch-cache/index.ts';
import type { ResourceStore } from './resource-store.ts';

/** A page of the objects below `prefix` as they were at `revision`. */
export interface PastRequest {
  readonly prefix: string;
  readonly startKey: string;
  readonly revision: number;
  /** Unlimited when left out. */
  readonly limit: number | undefined;
  readonly matches: ObjectPredicate | undefined;
  /** Objects from `startKey` on, when that is known. */
  readonly left: number | undefined;
}

/** Objects per read of the store: few round trips, and no answer that holds the event loop for long. */
const chunkSize = 500;

/**
 * Reads a page of a state that is no longer in memory from the store.
 *
 * @throws StorageError `compacted` when the store no longer has it either.
 */
export async function readPast(store: ResourceStore, request: PastRequest): Promise<ListPage> {
  const { prefix, revision, limit = Infinity, matches } = request;
  const objects: CachedObject[] = [];
  for (let startKey = request.startKey; ; ) {
    const wanted = matches === undefined ? Math.min(chunkSize, limit - objects.length) : chunkSize;
    const chunk = await store.storage.range({ prefix, startKey, limit: wanted, revision });
    for (const [index, stored] of chunk.objects.entries()) {
      const object = store.cache.adopt(stored);
      if (matches !== undefined && !matches(object)) continue;
      objects.push(object);
      if (objects.length < limit) continue;
      const hasMore = chunk.hasMore || index + 1 < chunk.objects.length;
      if (!hasMore) return { objects, revision, nextKey: undefined, remaining: undefined };
      const nextKey = keyAfter(stored.key);
      const remaining = matches === undefined ? await countRest(store, request, nextKey) : undefined;
      return { objects, revision, nextKey, remaining };
    }
    const last = chunk.objects.at(-1);
    if (!chunk.hasMore || last === undefined) {
      return { objects, revision, nextKey: undefined, remaining: undefined };
    }
    startKey = keyAfter(last.key);
  }
}

/**
 * How many objects follow a page. Tokens carry the number from page to page, so that the rest is read through for the
 * first page only.
 */
async function countRest(store: ResourceStore, request: PastRequest, nextKey: string): Promise<number> {
  const { prefix, revision, limit, left } = request;
  if (left !== undefined && limit !== undefined) return left - limit;
  let count = 0;
  for (let startKey = nextKey; ; ) {
    const chunk = await store.storage.range({ prefix, startKey, limit: chunkSize, revision });
    count += chunk.objects.length;
    const last = chunk.objects.at(-1);
    if (!chunk.hasMore || last === undefined) return count;
    startKey = keyAfter(last.key);
  }
}
