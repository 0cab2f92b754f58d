import type { Clock, Logger } from '../../base/index.ts';
import type { Storage, StorageEvent } from '../contract.ts';
import { keyAfter, pathEnd, prefixEnd } from '../key-range.ts';
import { createSortedTree, type SortedTree, stopWalk } from '../sorted-tree.ts';
import { compactedError, futureError } from '../storage-errors.ts';
import { CachedObject, type ObjectScope, type SelectableFields } from './cached-object.ts';
import { Change, type ObjectPredicate } from './change.ts';
import { ChangeLog } from './change-log.ts';
import { Snapshots } from './snapshots.ts';
import {
  type CacheWatch,
  type CacheWatchRequest,
  type CacheWatchSink,
  type WatchedResource,
  Watcher,
} from './watcher.ts';
import { WatcherIndex } from './watcher-index.ts';

/** What a resource needs to know of the cache that it belongs to. */
export interface CacheHost {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly selectableFields: SelectableFields | undefined;
  /** Revision that all resources stand at. */
  readonly revision: number;
  /** Changes after this revision are in the logs. */
  readonly windowStart: number;
}

export interface ListRequest {
  /** A folder that ends with `/`, or one exact key. */
  readonly prefix: string;
  /** First key to look at, inclusive. */
  readonly startKey?: string | undefined;
  /** At most so many objects; at least 1. */
  readonly limit?: number | undefined;
  /** List the state at this revision; the current one when left out. */
  readonly snapshot?: number | undefined;
  readonly matches?: ObjectPredicate | undefined;
}

export interface ListResult {
  /** Revision that the answer is exact for: pass it as `snapshot` to get the pages that follow. */
  readonly revision: number;
  readonly objects: readonly CachedObject[];
  /** `startKey` of the next page; undefined on the last. */
  readonly nextKey: string | undefined;
  /** How many objects follow. Undefined when `matches` was given, or on the last page. */
  readonly remaining: number | undefined;
}

/** All current objects of one resource, its recent states, and the watchers of it. */
export class ResourceCache implements WatchedResource {
  readonly prefix: string;
  readonly log = new ChangeLog();
  readonly watchers: WatcherIndex;
  readonly scope: ObjectScope;
  readonly #host: CacheHost;
  readonly #open = new Set<Watcher>();
  readonly #snapshots: Snapshots;
  #tree: SortedTree<CachedObject> = createSortedTree();
  #lastChange = 0;
  /** Revision of the state that the resource was last filled with: its log begins after it. */
  #filledAt = 0;

  constructor(prefix: string, host: CacheHost) {
    this.prefix = prefix;
    this.#host = host;
    this.scope = { resourcePrefix: prefix, selectableFields: host.selectableFields };
    this.watchers = new WatcherIndex(prefix);
    this.#snapshots = new Snapshots(host.clock);
  }

  get size(): number {
    return this.#tree.size;
  }

  get storage(): Storage {
    return this.#host.storage;
  }

  get logger(): Logger {
    return this.#host.logger;
  }

  get revision(): number {
    return this.#host.revision;
  }

  get lastChange(): number {
    return this.#lastChange;
  }

  get windowStart(): number {
    return Math.max(this.#host.windowStart, this.#filledAt);
  }

  /** The current object at `key`. */
  get(key: string): CachedObject | undefined {
    return this.#tree.get(key);
  }

  /**
   * Objects in key order. A list that is cut short by `limit` keeps its revision readable for the next pages.
   *
   * @throws StorageError `compacted` when `snapshot` is no longer in memory, `future-revision` when it has not happened.
   */
  list(request: ListRequest): ListResult {
    const revision = request.snapshot ?? this.revision;
    const tree = this.treeAt(revision);
    const { objects, end, nextKey } = collect(tree, request);
    const isPinned = this.#snapshots.get(revision) !== undefined;
    if (nextKey === undefined) {
      if (request.snapshot !== undefined) this.#snapshots.unpin(revision);
      return { revision, objects, nextKey, remaining: undefined };
    }
    if (request.snapshot === undefined || !isPinned) this.#snapshots.pin(revision, () => tree.clone());
    const remaining = request.matches === undefined ? tree.forRange(nextKey, end, false) : undefined;
    return { revision, objects, nextKey, remaining };
  }

  /**
   * Starts a watch. Its sink is called from after this call has returned; first what happened after
   * `afterRevision` (or the current objects as `ADDED`, in key order, for `'state'`), then every event as it
   * is committed.
   */
  watch(request: CacheWatchRequest, sink: CacheWatchSink): CacheWatch {
    if (!request.prefix.startsWith(this.prefix)) {
      throw new RangeError(`cannot watch "${request.prefix}": it is not below "${this.prefix}"`);
    }
    const watcher = new Watcher({ resource: this, request, sink, onClose: () => this.#open.delete(watcher) });
    this.#open.add(watcher);
    queueMicrotask(() => watcher.start());
    return watcher;
  }

  /** The tree as of `revision`. Never change it. @throws StorageError as `list`. */
  treeAt(revision: number): SortedTree<CachedObject> {
    if (revision > this.revision) throw futureError(revision, this.revision);
    if (revision >= this.#lastChange) return this.#tree;
    const kept = this.#snapshots.get(revision);
    if (kept !== undefined) return kept;
    if (revision < this.windowStart) throw compactedError(revision, this.windowStart);
    const tree = this.#tree.clone();
    const first = this.log.indexAfter(revision);
    for (let index = this.log.length - 1; index >= first; index--) undo(tree, this.log.at(index));
    return tree;
  }

  /** Applies one event of the store and returns it as the change that watchers see. */
  apply(event: StorageEvent): Change {
    const { key } = event.object;
    const object = new CachedObject(this.scope, event.object);
    const change = new Change(this.scope, { kind: event.kind, object, previous: this.#tree.get(key) });
    if (event.kind === 'delete') this.#tree.delete(key);
    else this.#tree.set(key, object);
    this.#lastChange = event.revision;
    return change;
  }

  /** Replaces everything by the state at `revision`; changes before it are no longer known. */
  reset(tree: SortedTree<CachedObject>, revision: number): void {
    this.#tree = tree;
    this.#lastChange = revision;
    this.#filledAt = revision;
    this.log.clear();
  }

  /** Moves the objects below `resource.prefix` there; what happened to them before is forgotten. */
  moveTo(resource: ResourceCache): void {
    const tree = createSortedTree<CachedObject>();
    const [from, to] = [resource.prefix, prefixEnd(resource.prefix)];
    this.#tree.forRange(from, to, false, (key, object) => {
      tree.set(key, new CachedObject(resource.scope, object));
      return undefined;
    });
    this.#tree.deleteRange(from, to, false);
    resource.reset(tree, this.revision);
  }

  /** Ends every watch of the resource. */
  endWatches(end: (watcher: Watcher) => void): void {
    for (const watcher of [...this.#open]) end(watcher);
  }

  /** Forgets the states that paged lists still read. */
  dropSnapshots(): void {
    this.#snapshots.clear();
  }
}

function undo(tree: SortedTree<CachedObject>, change: Change | undefined): void {
  if (change === undefined) return;
  if (change.previous === undefined) tree.delete(change.key);
  else tree.set(change.key, change.previous);
}

function collect(
  tree: SortedTree<CachedObject>,
  { prefix, startKey = prefix, limit = Infinity, matches }: ListRequest,
): { readonly objects: readonly CachedObject[]; readonly end: string; readonly nextKey: string | undefined } {
  const objects: CachedObject[] = [];
  const end = pathEnd(prefix);
  let lastKey = '';
  let isCutShort = false;
  tree.forRange(startKey < prefix ? prefix : startKey, end, false, (key, object) => {
    if (objects.length >= limit) {
      isCutShort = true;
      return stopWalk;
    }
    lastKey = key;
    if (matches === undefined || matches(object)) objects.push(object);
    return undefined;
  });
  return { objects, end, nextKey: isCutShort ? keyAfter(lastKey) : undefined };
}
