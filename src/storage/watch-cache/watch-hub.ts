import type { Logger, TimeSlices } from '../../base/index.ts';
import type { Storage, StorageError } from '../contract.ts';
import { pathEnd } from '../key-range.ts';
import type { SortedTree } from '../sorted-tree.ts';
import type { CacheHost } from './cache-host.ts';
import type { CachedObject, ObjectScope } from './cached-object.ts';
import type { ChangeLog } from './change-log.ts';
import type { FieldValue, RequiredValue } from './field-layout.ts';
import type { ObjectTable } from './object-table.ts';
import {
  type CacheWatch,
  type CacheWatchRequest,
  type CacheWatchSink,
  type EndNotice,
  type WatchedResource,
  Watcher,
} from './watcher.ts';
import { WatcherIndex } from './watcher-index.ts';

/** The watches of one resource: all that are open, and those that are live by what concerns them. */
export class WatchHub implements WatchedResource {
  readonly watchers: WatcherIndex;
  readonly #table: ObjectTable;
  readonly #host: CacheHost;
  readonly #open = new Set<Watcher>();

  constructor(table: ObjectTable, host: CacheHost) {
    this.watchers = new WatcherIndex(table.prefix);
    this.#table = table;
    this.#host = host;
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

  get scope(): ObjectScope {
    return this.#table.scope;
  }

  get log(): ChangeLog {
    return this.#table.log;
  }

  get lastChange(): number {
    return this.#table.lastChange;
  }

  get windowStart(): number {
    return this.#table.windowStart;
  }

  problemBelow(path: string): StorageError | undefined {
    return this.#table.problemBelow(path);
  }

  demandOf(requiredValue: RequiredValue | undefined): FieldValue | undefined {
    return this.#table.demandOf(requiredValue);
  }

  prepareState(requiredValue: RequiredValue | undefined): Promise<void> | undefined {
    return this.#table.prepare(this.#table.demandOf(requiredValue));
  }

  stateNow(requiredValue: RequiredValue | undefined): SortedTree<CachedObject> {
    return this.#table.candidates(this.#table.demandOf(requiredValue));
  }

  /** See `ResourceCache.watch`. */
  watch(request: CacheWatchRequest, sink: CacheWatchSink): CacheWatch {
    const { prefix } = this.#table;
    if (!request.prefix.startsWith(prefix)) {
      throw new RangeError(`cannot watch "${request.prefix}": it is not below "${prefix}"`);
    }
    const watcher = new Watcher({ resource: this, request, sink, onClose: () => this.#open.delete(watcher) });
    this.#open.add(watcher);
    queueMicrotask(() => watcher.start());
    return watcher;
  }

  /** Ends the watches that a key concerns. */
  failAt(key: string, error: StorageError): void {
    const isConcerned = ({ path }: Watcher): boolean => key >= path && key < pathEnd(path);
    for (const watcher of [...this.#open].filter(isConcerned)) watcher.fail(error);
  }

  /** Closes every watch. Returns what tells their consumers why. */
  closeAll(): readonly EndNotice[] {
    return [...this.#open].map((watcher) => watcher.end());
  }
}
