import type { Logger } from '../../base/index.ts';
import { type Storage, StorageError, type StorageEvent } from '../contract.ts';
import { pathEnd } from '../key-range.ts';
import type { SortedTree } from '../sorted-tree.ts';
import { CachedObject, type ObjectScope } from './cached-object.ts';
import { Change, type ObjectPredicate, WatchEvent } from './change.ts';
import type { ChangeLog } from './change-log.ts';
import type { LiveWatcher, WatcherIndex } from './watcher-index.ts';

export interface CacheWatchRequest {
  /** A folder that ends with `/`, or one exact key. */
  readonly prefix: string;
  /** Deliver what happened after this revision, or `'state'`: first the current objects as `ADDED`. */
  readonly afterRevision: number | 'state';
  readonly matches?: ObjectPredicate | undefined;
}

export interface CacheWatchSink {
  /** Events in revision order (current objects first, in key order, for a watch of the state). */
  onEvent(event: WatchEvent): void;
  /** The watch ended and will deliver nothing more: `compacted` when its start is no longer known. */
  onError(error: StorageError): void;
  /**
   * Asked after each old event or object of the state: a promise makes the delivery wait for it.
   * Live events never wait; a sink that cannot keep up closes its watch.
   */
  drained?(): Promise<void> | undefined;
}

export interface CacheWatch {
  /** Every event up to this revision has been delivered. Fit for a bookmark once the watch is `isLive`. */
  readonly revision: number;
  /** Old events have all been delivered. */
  readonly isLive: boolean;
  close(): void;
}

/** What a watcher needs of the resource that it watches. */
export interface WatchedResource {
  readonly storage: Storage;
  readonly logger: Logger;
  readonly scope: ObjectScope;
  readonly log: ChangeLog;
  readonly watchers: WatcherIndex;
  /** Revision that the resource stands at. */
  readonly revision: number;
  /** Revision of the last change, or a later one that is known to have had none since. */
  readonly lastChange: number;
  /** Every change after this revision is in the log. */
  readonly windowStart: number;
  /** The current tree when `revision` is the current one. */
  treeAt(revision: number): SortedTree<CachedObject>;
}

export interface WatcherOptions {
  readonly resource: WatchedResource;
  readonly request: CacheWatchRequest;
  readonly sink: CacheWatchSink;
  readonly onClose: () => void;
}

/** One watch: the state or old events first, from memory or from the store, then live. */
export class Watcher implements CacheWatch, LiveWatcher {
  readonly path: string;
  readonly #resource: WatchedResource;
  readonly #sink: CacheWatchSink;
  readonly #matches: ObjectPredicate | undefined;
  readonly #onClose: () => void;
  #startsWithState: boolean;
  /** Everything up to here was delivered, or lies before the start. */
  #position: number;
  #isLive = false;
  #isClosed = false;
  #stopHistory: (() => void) | undefined;

  constructor({ resource, request, sink, onClose }: WatcherOptions) {
    this.path = request.prefix;
    this.#resource = resource;
    this.#sink = sink;
    this.#matches = request.matches;
    this.#onClose = onClose;
    this.#startsWithState = request.afterRevision === 'state';
    this.#position = request.afterRevision === 'state' ? 0 : request.afterRevision;
  }

  get revision(): number {
    return this.#isLive ? Math.max(this.#position, this.#resource.revision) : this.#position;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Delivers what is old, then joins the live watchers. */
  start(): void {
    this.#catchUp().catch((error: unknown) => this.#failSink(error));
  }

  receive(change: Change): void {
    if (this.#isClosed || change.revision <= this.#position) return;
    const event = change.select(this.#matches);
    if (event === undefined) return;
    try {
      this.#sink.onEvent(event);
    } catch (error) {
      this.#failSink(error);
    }
  }

  fail(error: StorageError): void {
    if (this.#isClosed) return;
    this.close();
    this.#sink.onError(error);
  }

  close(): void {
    this.#isClosed = true;
    this.#isLive = false;
    this.#resource.watchers.delete(this);
    this.#stopHistory?.();
    this.#onClose();
  }

  async #catchUp(): Promise<void> {
    if (this.#startsWithState) await this.#deliverState();
    while (!this.#isClosed && !this.#isLive) {
      const { windowStart, lastChange } = this.#resource;
      if (this.#position >= Math.min(windowStart, lastChange)) await this.#deliverLog();
      else await this.#deliverHistory();
    }
  }

  async #deliverState(): Promise<void> {
    this.#startsWithState = false;
    const revision = this.#resource.revision;
    const tree = this.#resource.treeAt(revision).clone();
    for (const [key, object] of tree.entries(this.path)) {
      if (this.#isClosed || key >= pathEnd(this.path)) break;
      if (this.#matches !== undefined && !this.#matches(object)) continue;
      this.#sink.onEvent(new WatchEvent('ADDED', object, object.revision));
      const drained = this.#sink.drained?.();
      if (drained !== undefined) await drained;
    }
    this.#position = revision;
  }

  /** Delivers from memory up to now and goes live, or stops early when the sink had to be waited for. */
  async #deliverLog(): Promise<void> {
    const { log, watchers } = this.#resource;
    const end = pathEnd(this.path);
    for (let index = log.indexAfter(this.#position); index < log.length && !this.#isClosed; index++) {
      const change = log.at(index);
      if (change === undefined) break;
      const isWatched = change.key >= this.path && change.key < end;
      if (isWatched) this.receive(change);
      this.#position = change.revision;
      const drained = isWatched ? this.#sink.drained?.() : undefined;
      // The log may have moved on meanwhile: the caller looks again where to continue.
      if (drained !== undefined) return drained;
    }
    if (this.#isClosed) return;
    this.#isLive = true;
    watchers.add(this);
  }

  /** Delivers from the store's history until memory takes over. */
  #deliverHistory(): Promise<void> {
    const resource = this.#resource;
    return new Promise((resolve) => {
      const advance = (revision: number): void => {
        // The store may be ahead of the cache; what the cache has not seen will come live.
        this.#position = Math.max(this.#position, Math.min(revision, resource.revision));
        if (this.#isClosed || this.#position >= resource.windowStart) this.#stopHistory?.();
      };
      const watch = resource.storage.watch(
        { prefix: this.path, afterRevision: this.#position },
        {
          onEvents: (events) => this.#receiveHistory(events),
          onProgress: advance,
          onError: (error) => {
            this.#stopHistory?.();
            this.fail(error);
          },
        },
      );
      this.#stopHistory = () => {
        this.#stopHistory = undefined;
        watch.close();
        resolve();
      };
      if (this.#isClosed) this.#stopHistory();
    });
  }

  #receiveHistory(events: readonly StorageEvent[]): void {
    for (const event of events) {
      if (this.#isClosed || event.revision > this.#resource.revision) return;
      if (this.#isBelowPath(event.object.key)) this.receive(this.#changeOf(event));
      this.#position = event.revision;
    }
  }

  /** The store filters by text; an exact key must not let longer keys through. */
  #isBelowPath(key: string): boolean {
    return this.path.endsWith('/') || key === this.path;
  }

  #changeOf({ kind, object, previous }: StorageEvent): Change {
    const { scope } = this.#resource;
    return new Change(scope, {
      kind,
      object: new CachedObject(scope, object),
      previous: previous === undefined ? undefined : new CachedObject(scope, previous),
    });
  }

  #failSink(error: unknown): void {
    // A broken consumer must not break the fan-out to the others.
    this.#resource.logger.error('watch consumer failed', { path: this.path, error });
    this.fail(new StorageError('closed', 'watch ended: its consumer failed', { cause: error }));
  }
}
