import type { CachedObject } from '../storage/watch-cache/index.ts';
import type { ResourceStore } from './resource-store.ts';

/** What changes of a resource are given to. */
export interface CacheFollower {
  put(object: CachedObject): void;
  remove(object: CachedObject): void;
}

/**
 * Gives a follower what changed in a resource since it was asked last: the first time everything. Whoever asks before
 * each use sees each write that was acknowledged, because the cache does.
 */
export class FollowedCache {
  readonly #store: ResourceStore;
  readonly #follower: CacheFollower;
  /** What the follower was given, by key, to tell what is gone when the changes are not known one by one. */
  readonly #given = new Map<string, CachedObject>();
  #seen = -1;

  constructor(store: ResourceStore, follower: CacheFollower) {
    this.#store = store;
    this.#follower = follower;
  }

  refresh(): void {
    const { cache } = this.#store;
    const { lastChange, log } = cache;
    if (lastChange === this.#seen) return;
    if (this.#seen >= 0 && this.#seen >= cache.windowStart) {
      for (let at = log.indexAfter(this.#seen); at < log.length; at++) {
        const change = log.at(at);
        if (change?.kind === 'put') this.#put(change.object);
        else if (change !== undefined) this.#remove(change.key);
      }
    } else this.#readAll();
    this.#seen = lastChange;
  }

  #readAll(): void {
    const { objects } = this.#store.cache;
    for (const key of [...this.#given.keys()]) if (!objects.has(key)) this.#remove(key);
    for (const object of objects.values()) if (this.#given.get(object.key) !== object) this.#put(object);
  }

  #put(object: CachedObject): void {
    this.#given.set(object.key, object);
    this.#follower.put(object);
  }

  #remove(key: string): void {
    const object = this.#given.get(key);
    if (object === undefined) return;
    this.#given.delete(key);
    this.#follower.remove(object);
  }
}
