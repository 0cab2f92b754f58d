import type { Logger, TimeSlices } from '../../base/index.ts';
import type { Storage, StorageError, StorageEvent, StoredObject } from '../contract.ts';
import { pathEnd, prefixEnd } from '../key-range.ts';
import { createSortedTree, type SortedTree } from '../sorted-tree.ts';
import { compactedError, unreadableError } from '../storage-errors.ts';
import { CachedObject, type ObjectScope, type SelectableFields } from './cached-object.ts';
import { Change } from './change.ts';
import { ChangeLog } from './change-log.ts';
import { type Collected, type CollectRequest, collect, collectSliced } from './collect.ts';
import { FieldIndexes } from './field-indexes.ts';
import type { FieldLayout, FieldValue, RequiredValue } from './field-layout.ts';
import { type CurrentState, RecentStates, type State } from './recent-states.ts';
import type { SnapshotBudget } from './snapshot-budget.ts';
import { type UnreadableValue, UnreadableValues } from './unreadable-values.ts';
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
  /** Prefix of all keys. What lies at keys of no resource is nobody's object, and no problem of anybody's. */
  readonly root: string;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly slices: TimeSlices;
  readonly snapshotBudget: SnapshotBudget;
  readonly selectableFields: SelectableFields | undefined;
  readonly fieldLayout: FieldLayout | undefined;
  /** Revision that all resources stand at. */
  readonly revision: number;
  /** Live watchers have received everything up to this revision. */
  readonly deliveredRevision: number;
  /** Changes after this revision are in the logs. */
  readonly windowStart: number;
}

export interface ListRequest extends CollectRequest {
  /** List the state at this revision; the current one when left out. */
  readonly snapshot?: number | undefined;
  /** What `matches` demands of fields: lets an index find the objects. */
  readonly requiredValue?: RequiredValue | undefined;
}

/** What a list found, or one page of it. */
export interface ListPage extends Collected {
  /** Revision that the answer is exact for: pass it as `snapshot` to get the pages that follow. */
  readonly revision: number;
  /** How many objects follow. Undefined when `matches` was given, or on the last page. */
  readonly remaining: number | undefined;
}

/** All current objects of one resource, its recent states, and the watchers of it. */
export class ResourceCache implements WatchedResource, CurrentState {
  readonly prefix: string;
  readonly log = new ChangeLog();
  readonly watchers: WatcherIndex;
  readonly scope: ObjectScope;
  readonly #host: CacheHost;
  readonly #open = new Set<Watcher>();
  readonly #states: RecentStates;
  readonly #indexes: FieldIndexes;
  readonly #unreadable = new UnreadableValues();
  #tree: SortedTree<CachedObject> = createSortedTree();
  #lastChange = 0;
  /** Revision of the state that the resource was last filled with: its log begins after it. */
  #filledAt = 0;

  constructor(prefix: string, host: CacheHost) {
    this.prefix = prefix;
    this.#host = host;
    const { fieldLayout, slices } = host;
    const fields = fieldLayout?.indexedFields(prefix) ?? [];
    this.scope = {
      resourcePrefix: prefix,
      selectableFields: host.selectableFields,
      locate: fieldLayout === undefined ? undefined : (field) => fieldLayout.locate(prefix, field),
    };
    this.watchers = new WatcherIndex(prefix);
    this.#states = new RecentStates(this, host.snapshotBudget);
    this.#indexes = new FieldIndexes({ fields, slices });
  }

  get size(): number {
    return this.#tree.size;
  }

  /** The current objects by key. Never change them. */
  get objects(): SortedTree<CachedObject> {
    return this.#tree;
  }

  get storage(): Storage {
    return this.#host.storage;
  }

  get logger(): Logger {
    return this.#host.logger;
  }

  get slices(): TimeSlices {
    return this.#host.slices;
  }

  get revision(): number {
    return this.#host.revision;
  }

  get deliveredRevision(): number {
    return this.#host.deliveredRevision;
  }

  get lastChange(): number {
    return this.#lastChange;
  }

  get windowStart(): number {
    return Math.max(this.#host.windowStart, this.#filledAt);
  }

  /** The current object at `key`. @throws StorageError `unreadable` when there is a value that is none. */
  get(key: string): CachedObject | undefined {
    if (this.#unreadable.size > 0) this.#assertReadable(key);
    return this.#tree.get(key);
  }

  /** What is at `key` instead of an object. */
  unreadable(key: string): UnreadableValue | undefined {
    return this.#unreadable.get(key);
  }

  /** As `get` and lists throw it for a path: a folder that ends with `/`, or one exact key. */
  problemBelow(path: string): StorageError | undefined {
    const found = this.#unreadable.find(path);
    return found && unreadableError(found.key, found.problem);
  }

  /**
   * Objects in key order. A list that is cut short by `limit` keeps its revision readable for the next pages.
   *
   * @throws StorageError `compacted` when `snapshot` is no longer in memory, `future-revision` when it has not happened,
   * `unreadable` when a value below the prefix is no object.
   */
  list(request: ListRequest): ListPage {
    this.#assertReadable(request.prefix, request.snapshot);
    const state = this.#states.at(request.snapshot);
    return this.#finish(request, state, collect(this.#candidates(request, state), request));
  }

  /**
   * As `list`; a promise where looking through the objects takes so long that others should have their turn. It
   * shows the state at the time of the call then, or a later one.
   */
  read(request: ListRequest): ListPage | Promise<ListPage> {
    this.#assertReadable(request.prefix, request.snapshot);
    const demand = this.#demandOf(request);
    const building = demand === undefined ? undefined : this.#indexes.prepare(demand, this.#tree);
    if (building !== undefined) return building.then(() => this.read(request));
    const state = this.#states.at(request.snapshot);
    const found = collectSliced(this.#candidates(request, state), request, this.slices.begin());
    if (!(found instanceof Promise)) return this.#finish(request, state, found);
    const kept = { revision: state.revision, objects: state.objects.clone() };
    return found.then((collected) => this.#finish(request, kept, collected));
  }

  /** A stored object of the resource, as lists show objects. @throws StorageError `unreadable` when it is none. */
  adopt(stored: StoredObject): CachedObject {
    if (stored.problem !== undefined) throw unreadableError(stored.key, stored.problem);
    return new CachedObject(this.scope, stored);
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

  demandOf(requiredValue: RequiredValue | undefined): FieldValue | undefined {
    return this.#indexes.demandOf(requiredValue);
  }

  prepareState(requiredValue: RequiredValue | undefined): Promise<void> | undefined {
    const demand = this.#indexes.demandOf(requiredValue);
    return demand && this.#indexes.prepare(demand, this.#tree);
  }

  stateNow(requiredValue: RequiredValue | undefined): SortedTree<CachedObject> {
    const demand = this.#indexes.demandOf(requiredValue);
    return (demand && this.#indexes.objectsOf(demand)) ?? this.#tree;
  }

  /** Applies one event of the store and returns it as the change that watchers see, if they see one. */
  apply(event: StorageEvent): Change | undefined {
    const { key, problem } = event.object;
    if (problem !== undefined) return this.#applyUnreadable(event, problem);
    if (this.#unreadable.size > 0 && this.#unreadable.delete(key)) {
      this.#startAnew(event.revision);
      this.#host.logger.info('stored value readable again', { key });
    }
    const object = new CachedObject(this.scope, event.object);
    const change = new Change(this.scope, { kind: event.kind, object, previous: this.#tree.get(key) });
    if (event.kind === 'delete') this.#tree.delete(key);
    else this.#tree.set(key, object);
    this.#indexes.apply(change);
    this.#states.noteReplaced(change);
    this.#lastChange = event.revision;
    return change;
  }

  /** Replaces everything by the state at `revision`; changes before it are no longer known. */
  reset(
    tree: SortedTree<CachedObject>,
    revision: number,
    unreadable: readonly Omit<UnreadableValue, 'since'>[],
  ): void {
    this.#tree = tree;
    for (const { key, problem } of this.#unreadable.replace(unreadable)) this.#reportUnreadable(key, problem);
    this.#indexes.clear();
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
    resource.reset(tree, this.revision, this.#unreadable.take(resource.prefix));
  }

  /** Closes every watch of the resource. Returns what tells their consumers why. */
  closeWatches(): readonly ((error: StorageError) => void)[] {
    return [...this.#open].map((watcher) => watcher.end());
  }

  /** Forgets the states that paged lists still read. */
  dropSnapshots(): void {
    this.#states.drop();
  }

  /**
   * There is no object at the key, and none was deleted: lists would be wrong, and so would be watches, which end until
   * somebody puts it right. Others do not notice.
   */
  #applyUnreadable({ kind, revision, object: { key } }: StorageEvent, problem: string): undefined {
    const isNews = kind === 'put' ? this.#unreadable.set({ key, revision, problem }) : this.#tree.has(key);
    if (kind === 'delete') this.#unreadable.delete(key);
    this.#tree.delete(key);
    this.#indexes.clear();
    this.#startAnew(revision);
    if (!isNews) return;
    if (kind === 'put') this.#reportUnreadable(key, problem);
    const error = this.problemBelow(key) ?? compactedError(revision - 1, revision);
    const isConcerned = ({ path }: Watcher): boolean => key >= path && key < pathEnd(path);
    for (const watcher of [...this.#open].filter(isConcerned)) watcher.fail(error);
  }

  /** What was before cannot be told from memory: the log does not know all of it. */
  #startAnew(revision: number): void {
    this.#states.drop();
    this.#lastChange = revision;
    this.#filledAt = revision;
  }

  /** @throws StorageError `unreadable`. */
  #assertReadable(path: string, revision?: number): void {
    const found = this.#unreadable.find(path, revision);
    if (found !== undefined) throw unreadableError(found.key, found.problem);
  }

  #reportUnreadable(key: string, problem: string): void {
    if (this.prefix === this.#host.root) return;
    const message =
      'value in the store cannot be read; what it belongs to is not listed until that is mended';
    this.#host.logger.error(message, { key, problem });
  }

  #finish(request: ListRequest, state: State, { objects, nextKey }: Collected): ListPage {
    const { revision } = state;
    if (nextKey === undefined) {
      if (request.snapshot !== undefined) this.#states.release(revision);
      return { revision, objects, nextKey, remaining: undefined };
    }
    this.#states.keep(state, { isNew: request.snapshot === undefined });
    const end = pathEnd(request.prefix);
    const remaining = request.matches === undefined ? state.objects.forRange(nextKey, end, false) : undefined;
    return { revision, objects, nextKey, remaining };
  }

  /** What a list of the current state demands of an indexed field. */
  #demandOf({ snapshot, requiredValue }: ListRequest): FieldValue | undefined {
    const isCurrent = snapshot === undefined || (snapshot >= this.#lastChange && snapshot <= this.revision);
    return isCurrent ? this.#indexes.demandOf(requiredValue) : undefined;
  }

  /** The objects to look through. */
  #candidates(request: ListRequest, { objects }: State): SortedTree<CachedObject> {
    const demand = objects === this.#tree ? this.#demandOf(request) : undefined;
    return (demand && this.#indexes.objectsOf(demand)) ?? objects;
  }
}
