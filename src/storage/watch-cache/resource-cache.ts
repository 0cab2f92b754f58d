import type { TimeSlices } from '../../base/index.ts';
import type { StorageError, StorageEvent, StoredObject } from '../contract.ts';
import type { SortedTree } from '../sorted-tree.ts';
import { compactedError, unreadableError } from '../storage-errors.ts';
import type { CacheHost } from './cache-host.ts';
import { CachedObject, type DecodeValue } from './cached-object.ts';
import type { Change } from './change.ts';
import type { ChangeLog } from './change-log.ts';
import { ObjectTable } from './object-table.ts';
import { RecentStates } from './recent-states.ts';
import { type ListPage, type ListRequest, ResourceLists } from './resource-lists.ts';
import type { UnreadableValue } from './unreadable-values.ts';
import { WatchHub } from './watch-hub.ts';
import type { CacheWatch, CacheWatchRequest, CacheWatchSink, EndNotice } from './watcher.ts';
import type { WatcherIndex } from './watcher-index.ts';

/** One resource in memory: the table of its current objects, its recent states, and the hub of its watches. */
export class ResourceCache {
  readonly prefix: string;
  readonly log: ChangeLog;
  readonly watchers: WatcherIndex;
  readonly #host: CacheHost;
  readonly #table: ObjectTable;
  readonly #states: RecentStates;
  readonly #lists: ResourceLists;
  readonly #hub: WatchHub;

  /** @param decode reads values that take more than a JSON parser. */
  constructor(prefix: string, host: CacheHost, decode?: DecodeValue) {
    this.prefix = prefix;
    this.#host = host;
    this.#table = new ObjectTable(prefix, host, decode);
    this.#states = new RecentStates(this.#table, host.snapshotBudget);
    this.#lists = new ResourceLists({ table: this.#table, states: this.#states, slices: host.slices });
    this.#hub = new WatchHub(this.#table, host);
    this.log = this.#table.log;
    this.watchers = this.#hub.watchers;
  }

  get size(): number {
    return this.#table.objects.size;
  }

  /** The current objects by key. Never change them. */
  get objects(): SortedTree<CachedObject> {
    return this.#table.objects;
  }

  get slices(): TimeSlices {
    return this.#host.slices;
  }

  /** Revision that the resource stands at. */
  get revision(): number {
    return this.#host.revision;
  }

  /** Revision of the last change, or a later one that is known to have had none since. */
  get lastChange(): number {
    return this.#table.lastChange;
  }

  /** Every change after this revision is in memory. */
  get windowStart(): number {
    return this.#table.windowStart;
  }

  /** The current object at `key`. @throws StorageError `unreadable` when there is a value that is none. */
  get(key: string): CachedObject | undefined {
    return this.#table.get(key);
  }

  /** What is at `key` instead of an object. */
  unreadable(key: string): UnreadableValue | undefined {
    return this.#table.unreadable(key);
  }

  /** As `get` and lists throw it for a path: a folder that ends with `/`, or one exact key. */
  problemBelow(path: string): StorageError | undefined {
    return this.#table.problemBelow(path);
  }

  /**
   * Objects in key order. A list that is cut short by `limit` keeps its revision readable for the next pages.
   *
   * @throws StorageError `compacted` when `snapshot` is no longer in memory, `future-revision` when it has not happened,
   * `unreadable` when a value below the prefix is no object.
   */
  list(request: ListRequest): ListPage {
    return this.#lists.list(request);
  }

  /**
   * As `list`; a promise where looking through the objects takes so long that others should have their turn. It
   * shows the state at the time of the call then, or a later one.
   */
  read(request: ListRequest): ListPage | Promise<ListPage> {
    return this.#lists.read(request);
  }

  /** A stored object of the resource, as lists show objects. @throws StorageError `unreadable` when it is none. */
  adopt(stored: StoredObject): CachedObject {
    if (stored.problem !== undefined) throw unreadableError(stored.key, stored.problem);
    return new CachedObject(this.#table.scope, stored);
  }

  /**
   * Starts a watch. Its sink is called from after this call has returned; first what happened after
   * `afterRevision` (or the current objects as `ADDED`, in key order, for `'state'`), then every event as it
   * is committed.
   */
  watch(request: CacheWatchRequest, sink: CacheWatchSink): CacheWatch {
    return this.#hub.watch(request, sink);
  }

  /** Applies one event of the store and returns it as the change that watchers see, if they see one. */
  apply(event: StorageEvent): Change | undefined {
    const { key, problem } = event.object;
    if (problem !== undefined) {
      this.#applyUnreadable(event, problem);
      return undefined;
    }
    if (this.#table.mend(event)) {
      this.#states.drop();
      this.#host.logger.info('stored value readable again', { key });
    }
    const change = this.#table.apply(event);
    this.#states.noteReplaced(change);
    return change;
  }

  /** Replaces everything by the state at `revision`; changes before it are no longer known. */
  reset(
    tree: SortedTree<CachedObject>,
    revision: number,
    unreadable: readonly Omit<UnreadableValue, 'since'>[],
  ): void {
    const news = this.#table.reset(tree, revision, unreadable);
    for (const { key, problem } of news) this.#reportUnreadable(key, problem);
  }

  /** Moves the objects below `resource.prefix` there; what happened to them before is forgotten. */
  moveTo(resource: ResourceCache): void {
    const [tree, unreadable] = this.#table.take(resource.#table.scope);
    resource.reset(tree, this.#host.revision, unreadable);
  }

  /** Takes the objects of a resource that is no longer told apart. */
  takeOver(resource: ResourceCache): void {
    this.#table.takeOver(resource.objects);
  }

  /** Closes every watch of the resource. Returns what tells their consumers why. */
  closeWatches(): readonly EndNotice[] {
    return this.#hub.closeAll();
  }

  /** Forgets the states that paged lists still read. */
  dropSnapshots(): void {
    this.#states.drop();
  }

  /**
   * There is no object at the key, and none was deleted: lists would be wrong, and so would be watches, which end until
   * somebody puts it right. Others do not notice.
   */
  #applyUnreadable(event: StorageEvent, problem: string): void {
    const { revision, object } = event;
    const isNews = this.#table.applyUnreadable(event, problem);
    this.#states.drop();
    if (!isNews) return;
    if (event.kind === 'put') this.#reportUnreadable(object.key, problem);
    const error = this.#table.problemBelow(object.key) ?? compactedError(revision - 1, revision);
    this.#hub.failAt(object.key, error);
  }

  #reportUnreadable(key: string, problem: string): void {
    if (this.prefix === this.#host.root) return;
    const message =
      'value in the store cannot be read; what it belongs to is not listed until that is mended';
    this.#host.logger.error(message, { key, problem });
  }
}
