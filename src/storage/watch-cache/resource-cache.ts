import type { Logger, TimeSlices } from '../../base/index.ts';
import type { Storage, StorageEvent, StoredObject } from '../contract.ts';
import { pathEnd, prefixEnd } from '../key-range.ts';
import { createSortedTree, type SortedTree } from '../sorted-tree.ts';
import { compactedError, futureError } from '../storage-errors.ts';
import { CachedObject, type ObjectScope, type SelectableFields } from './cached-object.ts';
import { Change } from './change.ts';
import { ChangeLog } from './change-log.ts';
import { type Collected, type CollectRequest, collect, collectSliced } from './collect.ts';
import { FieldIndexes } from './field-indexes.ts';
import type { FieldLayout, FieldValue, RequiredValue } from './field-layout.ts';
import type { SnapshotBudget } from './snapshot-budget.ts';
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
  readonly logger: Logger;
  readonly slices: TimeSlices;
  readonly snapshotBudget: SnapshotBudget;
  readonly selectableFields: SelectableFields | undefined;
  readonly fieldLayout: FieldLayout | undefined;
  /** Resources with more objects are looked through with rests. */
  readonly largeSize: number;
  /** Revision that all resources stand at. */
  readonly revision: number;
  /** Changes after this revision are in the logs. */
  readonly windowStart: number;
}

export interface ListRequest extends CollectRequest {
  /** List the state at this revision; the current one when left out. */
  readonly snapshot?: number | undefined;
  /** What `matches` demands of fields: lets an index find the objects. */
  readonly requiredValue?: RequiredValue | undefined;
}

export interface ListResult extends Collected {
  /** Revision that the answer is exact for: pass it as `snapshot` to get the pages that follow. */
  readonly revision: number;
  /** How many objects follow. Undefined when `matches` was given, or on the last page. */
  readonly remaining: number | undefined;
}

/** A state to read. */
interface State {
  readonly revision: number;
  /** All objects. */
  readonly tree: SortedTree<CachedObject>;
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
  readonly #indexes: FieldIndexes;
  #tree: SortedTree<CachedObject> = createSortedTree();
  #lastChange = 0;
  /** Revision of the state that the resource was last filled with: its log begins after it. */
  #filledAt = 0;

  constructor(prefix: string, host: CacheHost) {
    this.prefix = prefix;
    this.#host = host;
    const { fieldLayout, slices, largeSize } = host;
    const fields = fieldLayout?.indexedFields(prefix) ?? [];
    this.scope = {
      resourcePrefix: prefix,
      selectableFields: host.selectableFields,
      locate: fieldLayout === undefined ? undefined : (field) => fieldLayout.locate(prefix, field),
    };
    this.watchers = new WatcherIndex(prefix);
    this.#snapshots = new Snapshots(host.snapshotBudget);
    this.#indexes = new FieldIndexes({ fields, slices, largeSize });
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

  get slices(): TimeSlices {
    return this.#host.slices;
  }

  get largeSize(): number {
    return this.#host.largeSize;
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
    const state = this.#stateAt(request.snapshot);
    return this.#finish(request, state, collect(this.#indexed(request, state) ?? state.tree, request));
  }

  /**
   * As `list`; a promise where looking through the objects takes so long that others should have their turn. It
   * shows the state of some time after the call then.
   */
  read(request: ListRequest): ListResult | Promise<ListResult> {
    const demand = this.#demandOf(request);
    const building = demand === undefined ? undefined : this.#indexes.prepare(demand, this.#tree);
    if (building !== undefined) return building.then(() => this.read(request));
    const isQuick = demand !== undefined || request.matches === undefined;
    return isQuick || this.#tree.size <= this.#host.largeSize
      ? this.list(request)
      : this.#listSliced(request);
  }

  /** A stored object of the resource, as lists show objects. */
  adopt(stored: StoredObject): CachedObject {
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

  /** Applies one event of the store and returns it as the change that watchers see. */
  apply(event: StorageEvent): Change {
    const { key } = event.object;
    const object = new CachedObject(this.scope, event.object);
    const change = new Change(this.scope, { kind: event.kind, object, previous: this.#tree.get(key) });
    if (event.kind === 'delete') this.#tree.delete(key);
    else this.#tree.set(key, object);
    this.#indexes.apply(change);
    this.#snapshots.noteReplaced(change.replacedBytes);
    this.#lastChange = event.revision;
    return change;
  }

  /** Replaces everything by the state at `revision`; changes before it are no longer known. */
  reset(tree: SortedTree<CachedObject>, revision: number): void {
    this.#tree = tree;
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

  async #listSliced(request: ListRequest): Promise<ListResult> {
    const slice = await this.#host.slices.begin();
    const { revision, tree } = this.#stateAt(request.snapshot);
    const state = { revision, tree: tree.clone() };
    return this.#finish(request, state, await collectSliced(state.tree, request, slice));
  }

  #finish(request: ListRequest, { revision, tree }: State, { objects, nextKey }: Collected): ListResult {
    if (nextKey === undefined) {
      if (request.snapshot !== undefined) this.#snapshots.unpin(revision);
      return { revision, objects, nextKey, remaining: undefined };
    }
    const isKept = this.#snapshots.get(revision) !== undefined;
    if (request.snapshot === undefined || !isKept) {
      const outdatedBytes = this.#replacedSince(revision);
      this.#snapshots.pin({ revision, tree: tree.clone(), outdatedBytes });
    }
    const end = pathEnd(request.prefix);
    const remaining = request.matches === undefined ? tree.forRange(nextKey, end, false) : undefined;
    return { revision, objects, nextKey, remaining };
  }

  #stateAt(snapshot: number | undefined): State {
    const revision = snapshot ?? this.revision;
    return { revision, tree: this.treeAt(revision) };
  }

  /** As far as the log knows. */
  #replacedSince(revision: number): number {
    let bytes = 0;
    if (revision >= this.#lastChange) return bytes;
    for (let index = this.log.indexAfter(revision); index < this.log.length; index++) {
      bytes += this.log.at(index)?.replacedBytes ?? 0;
    }
    return bytes;
  }

  /** What a list of the current state demands of an indexed field. */
  #demandOf({ snapshot, requiredValue }: ListRequest): FieldValue | undefined {
    const isCurrent = snapshot === undefined || (snapshot >= this.#lastChange && snapshot <= this.revision);
    return isCurrent ? this.#indexes.demandOf(requiredValue) : undefined;
  }

  #indexed(request: ListRequest, { tree }: State): SortedTree<CachedObject> | undefined {
    const demand = tree === this.#tree ? this.#demandOf(request) : undefined;
    return demand === undefined ? undefined : this.#indexes.objectsOf(demand);
  }
}

function undo(tree: SortedTree<CachedObject>, change: Change | undefined): void {
  if (change === undefined) return;
  if (change.previous === undefined) tree.delete(change.key);
  else tree.set(change.key, change.previous);
}
