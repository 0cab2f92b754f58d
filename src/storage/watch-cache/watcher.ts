import type { Logger, TimeSlices } from '../../base/index.ts';
import { type Storage, StorageError, type StorageEvent } from '../contract.ts';
import { pathEnd } from '../key-range.ts';
import type { SortedTree } from '../sorted-tree.ts';
import { compactedError } from '../storage-errors.ts';
import { CachedObject, type ObjectScope } from './cached-object.ts';
import { Change, type ObjectPredicate, WatchEvent } from './change.ts';
import type { ChangeLog } from './change-log.ts';
import type { FieldValue, RequiredValue } from './field-layout.ts';
import type { LiveWatcher, WatcherIndex } from './watcher-index.ts';

export interface CacheWatchRequest {
  /** A folder that ends with `/`, or one exact key. */
  readonly prefix: string;
  /**
   * Deliver what happened after this revision; `'state'`: first the current objects as `ADDED`; `'now'`: what happens
   * after the watch began.
   */
  readonly afterRevision: number | 'state' | 'now';
  readonly matches?: ObjectPredicate | undefined;
  /** What `matches` demands of fields: lets the watch be asked about few changes only. */
  readonly requiredValue?: RequiredValue | undefined;
  /** The watch begins when this has resolved; a rejection with a StorageError ends it. */
  readonly ready?: (() => Promise<void>) | undefined;
}

export interface CacheWatchSink {
  /** Events in revision order (current objects first, in key order, for a watch of the state). */
  onEvent(event: WatchEvent): void;
  /** All objects of the state at `revision` have been delivered; what follows are changes. */
  onInitialEnd?(revision: number): void;
  /** The watch ended and will deliver nothing more: `compacted` when its start is no longer known. */
  onError(error: StorageError): void;
  /** The watch ended because nothing more can come: what it watched is served no more. */
  onEnd?(): void;
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
  readonly slices: TimeSlices;
  readonly scope: ObjectScope;
  readonly log: ChangeLog;
  readonly watchers: WatcherIndex;
  /** Revision that the resource stands at. */
  readonly revision: number;
  /** Live watchers have received everything up to this revision. */
  readonly deliveredRevision: number;
  /** Revision of the last change, or a later one that is known to have had none since. */
  readonly lastChange: number;
  /** Every change after this revision is in the log. */
  readonly windowStart: number;
  /** Why objects below a path (a folder that ends with `/`, or one exact key) cannot be watched now. */
  problemBelow(path: string): StorageError | undefined;
  /** The indexed field that a selection demands a value of. */
  demandOf(requiredValue: RequiredValue | undefined): FieldValue | undefined;
  /** Makes ready what `stateNow` can use; a promise when that takes a while. */
  prepareState(requiredValue: RequiredValue | undefined): Promise<void> | undefined;
  /** The current objects, or those of them that can meet what is demanded: to be cloned at once. */
  stateNow(requiredValue: RequiredValue | undefined): SortedTree<CachedObject>;
}

export interface WatcherOptions {
  readonly resource: WatchedResource;
  readonly request: CacheWatchRequest;
  readonly sink: CacheWatchSink;
  readonly onClose: () => void;
}

/** Tells the consumer of an ended watch why it ended; without an error, that nothing more can come. */
export type EndNotice = (error: StorageError | undefined) => void;

/** One watch: the state or old events first, from memory or from the store, then live. */
export class Watcher implements CacheWatch, LiveWatcher {
  readonly path: string;
  readonly demand: FieldValue | undefined;
  readonly #request: CacheWatchRequest;
  readonly #resource: WatchedResource;
  readonly #sink: CacheWatchSink;
  readonly #matches: ObjectPredicate | undefined;
  readonly #onClose: () => void;
  #startsWithState: boolean;
  /** Everything up to here was delivered, or lies before the start. */
  #position: number;
  #isLive = false;
  #isClosed = false;
  /** The consumer has closed the watch. */
  #hasLeft = false;
  #stopHistory: (() => void) | undefined;

  constructor({ resource, request, sink, onClose }: WatcherOptions) {
    this.path = request.prefix;
    this.#request = request;
    // One key is found by its path.
    this.demand = this.path.endsWith('/') ? resource.demandOf(request.requiredValue) : undefined;
    this.#resource = resource;
    this.#sink = sink;
    this.#matches = request.matches;
    this.#onClose = onClose;
    this.#startsWithState = request.afterRevision === 'state';
    this.#position = typeof request.afterRevision === 'number' ? request.afterRevision : 0;
  }

  get revision(): number {
    return this.#isLive ? Math.max(this.#position, this.#resource.deliveredRevision) : this.#position;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Delivers what is old, then joins the live watchers. */
  start(): void {
    this.#catchUp().catch((error: unknown) => {
      if (error instanceof StorageError) this.fail(error);
      else this.#failSink(error);
    });
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
    if (!this.#isClosed) this.end()(error);
  }

  /** Delivers nothing more. Returns what tells the consumer why, unless it has closed the watch itself by then. */
  end(): EndNotice {
    this.#stop();
    return (error) => {
      if (this.#hasLeft) return;
      if (error === undefined) this.#sink.onEnd?.();
      else this.#sink.onError(error);
    };
  }

  close(): void {
    this.#hasLeft = true;
    this.#stop();
  }

  #stop(): void {
    this.#isClosed = true;
    this.#isLive = false;
    this.#resource.watchers.delete(this);
    this.#stopHistory?.();
    this.#onClose();
  }

  async #catchUp(): Promise<void> {
    const { ready, afterRevision } = this.#request;
    if (ready !== undefined) await ready();
    const problem = this.#resource.problemBelow(this.path);
    if (problem !== undefined) throw problem;
    if (afterRevision === 'now') this.#position = this.#resource.revision;
    if (this.#startsWithState && !this.#isClosed) await this.#deliverState();
    while (!this.#isClosed && !this.#isLive) {
      if (this.#isInMemory) await this.#deliverLog();
      else await this.#deliverHistory();
    }
  }

  /** Whether everything after the position is in the log. */
  get #isInMemory(): boolean {
    const { windowStart, lastChange } = this.#resource;
    return this.#position >= Math.min(windowStart, lastChange);
  }

  async #deliverState(): Promise<void> {
    this.#startsWithState = false;
    const resource = this.#resource;
    const { requiredValue } = this.#request;
    const prepared = resource.prepareState(requiredValue);
    if (prepared !== undefined) await prepared;
    const slice = resource.slices.begin();
    // Taken together, so that the objects are those of the revision.
    const { revision } = resource;
    const objects = resource.stateNow(requiredValue).clone();
    for (const [key, object] of objects.entries(this.path)) {
      if (this.#isClosed || key >= pathEnd(this.path)) break;
      if (this.#matches === undefined || this.#matches(object)) {
        this.#sink.onEvent(new WatchEvent('ADDED', object, object.revision));
        const drained = this.#sink.drained?.();
        if (drained !== undefined) await drained;
      }
      if (slice.isSpent()) await slice.rest();
    }
    this.#position = revision;
    if (!this.#isClosed) this.#sink.onInitialEnd?.(revision);
  }

  /** Delivers from memory up to now and goes live, or stops early when the sink or others had to be waited for. */
  async #deliverLog(): Promise<void> {
    const { log, watchers, slices } = this.#resource;
    const end = pathEnd(this.path);
    const slice = slices.begin();
    for (let index = log.indexAfter(this.#position); index < log.length && !this.#isClosed; index++) {
      const change = log.at(index);
      if (change === undefined) break;
      const isWatched = change.key >= this.path && change.key < end;
      if (isWatched) this.receive(change);
      this.#position = change.revision;
      const drained = isWatched ? this.#sink.drained?.() : undefined;
      // The log may have moved on meanwhile: the caller checks again where to continue.
      if (drained !== undefined) return drained;
      if (slice.isSpent()) return slice.rest();
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
      if (!this.#isBelowPath(event.object.key)) {
        this.#position = event.revision;
        continue;
      }
      if (hasProblem(event)) {
        this.fail(compactedError(this.#position, event.revision));
        return;
      }
      this.receive(this.#changeOf(event));
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

/** There was no object for a while: what happened cannot be told object by object. */
function hasProblem({ object, previous }: StorageEvent): boolean {
  return object.problem !== undefined || previous?.problem !== undefined;
}
