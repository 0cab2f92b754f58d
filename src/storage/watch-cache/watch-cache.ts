import {
  type Clock,
  createSystemSlices,
  type Logger,
  silentLogger,
  systemClock,
  type TimeSlices,
} from '../../base/index.ts';
import { type Storage, StorageError, type StorageEvent, type StorageWatch } from '../contract.ts';
import { closedError } from '../storage-errors.ts';
import type { CacheHost } from './cache-host.ts';
import type { DecodeValue, SelectableFields } from './cached-object.ts';
import { defaultEventWindow, EventWindow, type EventWindowLimits } from './event-window.ts';
import { FanOut } from './fan-out.ts';
import type { FieldLayout } from './field-layout.ts';
import { arrangeObjects, loadObjects } from './load-objects.ts';
import { ResourceCache } from './resource-cache.ts';
import { ResourceTable } from './resource-table.ts';
import { RevisionWaiters, type WaitOptions } from './revision-waiters.ts';
import { defaultSnapshotLimits, SnapshotBudget, type SnapshotLimits } from './snapshot-budget.ts';
import type { EndNotice } from './watcher.ts';

export interface WatchCacheOptions {
  readonly storage: Storage;
  /** Keys below it are cached. Ends with `/`. */
  readonly root: string;
  readonly eventWindow?: EventWindowLimits | undefined;
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly selectableFields?: SelectableFields | undefined;
  /** What is known of selectable fields; without it objects are decoded for their fields, and none is indexed. */
  readonly fieldLayout?: FieldLayout | undefined;
  readonly snapshotLimits?: SnapshotLimits | undefined;
  /** Turns of long work; those of the process when left out. */
  readonly slices?: TimeSlices | undefined;
  /** Turns of the delivery to live watchers, which has time of its own beside other work. */
  readonly deliverySlices?: TimeSlices | undefined;
}

/** Loads every object below `root` and follows the store from there. The storage stays the caller's to close. */
export async function openWatchCache(options: WatchCacheOptions): Promise<WatchCache> {
  const cache = new WatchCache(options);
  await cache.load();
  return cache;
}

const reloadDelayMs = 1000;

/** The current state of a store in memory, with what happened recently. */
export class WatchCache implements CacheHost, AsyncDisposable {
  readonly storage: Storage;
  readonly root: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly selectableFields: SelectableFields | undefined;
  readonly fieldLayout: FieldLayout | undefined;
  readonly slices: TimeSlices;
  readonly snapshotBudget: SnapshotBudget;
  readonly #limits: EventWindowLimits;
  readonly #table: ResourceTable;
  readonly #waiters: RevisionWaiters;
  readonly #fanOut: FanOut;
  #window: EventWindow;
  #revision = 0;
  #isCurrent = false;
  #isClosed = false;
  #watch: StorageWatch | undefined;
  #cancelReload: (() => void) | undefined;

  constructor(options: WatchCacheOptions) {
    this.storage = options.storage;
    this.clock = options.clock ?? systemClock;
    this.logger = options.logger ?? silentLogger;
    this.selectableFields = options.selectableFields;
    this.fieldLayout = options.fieldLayout;
    this.slices = options.slices ?? createSystemSlices();
    this.snapshotBudget = new SnapshotBudget(this.clock, options.snapshotLimits ?? defaultSnapshotLimits);
    this.root = options.root;
    this.#limits = options.eventWindow ?? defaultEventWindow;
    this.#window = new EventWindow(this.#limits);
    this.#waiters = new RevisionWaiters(this.clock);
    this.#fanOut = new FanOut(options.deliverySlices ?? createSystemSlices());
    this.#table = new ResourceTable(new ResourceCache(options.root, this));
  }

  /** Revision that every resource stands at. */
  get revision(): number {
    return this.#revision;
  }

  /** Every live watcher has received everything up to this revision. */
  get deliveredRevision(): number {
    const { oldestRevision } = this.#fanOut;
    return oldestRevision === undefined ? this.#revision : oldestRevision - 1;
  }

  /** Whether the cache follows the store. False while it loads again after its watch was lost. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /**
   * The objects below `prefix`, which ends with `/`; the same value on every call until it is released. `decode` reads
   * values that take more than a JSON parser.
   *
   * @throws RangeError when the prefix is not below the root, or lies within or around another resource.
   */
  resource(prefix: string, decode?: DecodeValue): ResourceCache {
    if (!prefix.startsWith(this.root) || !prefix.endsWith('/') || prefix === this.root) {
      throw new RangeError(`invalid resource prefix "${prefix}": expected a folder below "${this.root}"`);
    }
    return this.#table.register(prefix, () => new ResourceCache(prefix, this, decode));
  }

  /** Lets go a resource that is no longer served: its watches end, and its objects, if there are any, are nobody's. */
  release(resource: ResourceCache): void {
    if (!this.#table.unregister(resource)) return;
    resource.dropSnapshots();
    void this.#notifyEnded(resource.closeWatches(), undefined);
  }

  /**
   * Resolves when the cache stands at `revision` or later.
   *
   * @throws StorageError `future-revision` when that takes longer than `timeoutMs`; the signal's reason when aborted.
   */
  async waitForRevision(revision: number, options: WaitOptions): Promise<void> {
    if (this.#isClosed) throw closedError();
    if (revision <= this.#revision) return;
    await this.#waiters.wait(revision, options);
  }

  /** Reads everything and follows the store from there. For `openWatchCache`. */
  async load(): Promise<void> {
    const loaded = await loadObjects(this.storage, this.root);
    const putInPlace = await arrangeObjects(loaded, this.#table, this.slices);
    if (this.#isClosed) return;
    const { revision } = loaded;
    // Those that began since the storage watch was lost do not know what happened until now either.
    this.#endWatches(eventsLost());
    this.#window = new EventWindow(this.#limits);
    putInPlace();
    this.#isCurrent = true;
    this.#advance(revision);
    this.#watch = this.storage.watch(
      { prefix: this.root, afterRevision: revision, ignoresPrevious: true },
      {
        onEvents: (events) => this.#apply(events),
        onProgress: (progress) => this.#advance(progress),
        onError: (error) => this.#onLost(error),
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isCurrent = false;
    this.#cancelReload?.();
    this.#watch?.close();
    this.#endWatches(closedError(), { atOnce: true });
    this.#waiters.failAll(closedError());
    for (const resource of this.#table.all()) resource.dropSnapshots();
  }

  #apply(events: readonly StorageEvent[]): void {
    const timeMs = this.clock.nowMs();
    for (const event of events) {
      const resource = this.#table.find(event.object.key);
      const change = resource.apply(event);
      this.#revision = event.revision;
      if (change === undefined) continue;
      this.#window.add({ change, log: resource.log, timeMs });
      this.#fanOut.add({ change, watchers: resource.watchers });
    }
    this.#waiters.advance(this.#revision);
  }

  #advance(revision: number): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#waiters.advance(revision);
  }

  #onLost(error: StorageError): void {
    this.#isCurrent = false;
    if (this.#isClosed) return;
    if (error.code !== 'closed') this.logger.error('storage watch lost', { error });
    // What happens until the cache has loaded again is not known event by event.
    this.#endWatches(eventsLost(error));
    if (error.code !== 'closed') this.#reloadSoon();
  }

  #reloadSoon(): void {
    this.#cancelReload = this.clock.setTimer(reloadDelayMs, () => {
      this.load().catch((error: unknown) => {
        this.logger.error('storage list failed', { error });
        if (!this.#isClosed) this.#reloadSoon();
      });
    });
  }

  /** No watch is delivered anything from now on; their consumers learn of it one after the other. */
  #endWatches(error: StorageError, { atOnce = false } = {}): void {
    this.#fanOut.clear();
    const ended = this.#table.all().flatMap((resource) => resource.closeWatches());
    if (atOnce) for (const notify of ended) notify(error);
    else void this.#notifyEnded(ended, error);
  }

  async #notifyEnded(ended: readonly EndNotice[], error: StorageError | undefined): Promise<void> {
    const slice = this.slices.begin(1);
    for (const notify of ended) {
      notify(error);
      if (slice.isSpent()) await slice.rest();
    }
  }
}

const eventsLost = (cause?: StorageError): StorageError =>
  new StorageError('compacted', 'watch ended: events may have been lost', { cause });
