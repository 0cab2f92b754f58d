/**
 * The storage contract: a revisioned key-value store with compare-and-write, range reads at a revision and
 * ordered watches. Values are JSON bytes of one object; the store stamps `metadata.resourceVersion` into them.
 *
 * Rules that every driver keeps (checked by `test/conformance/storage`):
 * - There is one revision counter; every successful write takes a later value (the next one, where nobody else uses
 *   the store), and revision order is commit order.
 * - A value that is written holds `"resourceVersion":""` as the first occurrence of that text; what is read,
 *   and what events carry, holds the revision of the write between those quotes.
 * - A write is durable (for drivers that outlive the process) and its event was handed to every watch of this
 *   process before the write's promise resolves; a conflict resolves when what it shows was handed over too. Where the
 *   network parts a process from a shared store, the wait for that hand-over is bounded.
 * - Watches are ordered (by revision), unique, reliable (no gap after the start revision), atomic (all events
 *   of a revision in one batch), resumable (from any revision not compacted) and bookmarkable (progress).
 */
export interface Storage extends AsyncDisposable {
  /**
   * The object at `key`, or undefined: as of `revision`, or of the latest committed state.
   *
   * @throws StorageError `compacted` when `revision` is older than history, `future-revision` when it has not happened.
   */
  get(key: string, revision?: number): Promise<StoredObject | undefined>;
  /**
   * Objects whose key starts with `prefix`, in byte order of keys.
   *
   * @throws StorageError `compacted` when `revision` is older than history, `future-revision` when it has not happened.
   */
  range(request: RangeRequest): Promise<RangeResult>;
  /** Writes a new key. A key that exists is a `conflict` result with the current object. */
  create(key: string, value: Buffer, options?: WriteOptions): Promise<WriteResult>;
  /** Replaces the value if the key's revision is `expectedRevision`; else a `conflict` result. */
  update(key: string, expectedRevision: number, value: Buffer, options?: WriteOptions): Promise<WriteResult>;
  /** Removes the key if its revision is `expectedRevision`; else a `conflict` result. */
  delete(key: string, expectedRevision: number): Promise<WriteResult>;
  /**
   * Delivers every event after `afterRevision` for keys below `prefix` to `sink`, from history first, then live.
   * A start that was compacted is reported through `sink.onError` with code `compacted`.
   */
  watch(request: WatchRequest, sink: WatchSink): StorageWatch;
  /**
   * A revision that is not before any write, of any process, that was acknowledged before the call. An empty store is
   * at revision 1.
   */
  currentRevision(): Promise<number>;
  /**
   * Raises the revision counter to at least `revision`, so that all that follows is newer than what another store
   * gave out. History before it is forgotten. For copying a store into an empty one, before anything else uses it.
   */
  advanceRevision(revision: number): Promise<void>;
  /**
   * A revision that the store was at at a time, in milliseconds since the Unix epoch: a few seconds early at most, for
   * a day of history. Undefined for times before the first that the store knows the revision of.
   */
  revisionAt(timeMs: number): number | undefined;
  /** Forgets history up to and including `revision`: watches and exact reads before it then fail as `compacted`. */
  compact(revision: number): Promise<void>;
  stats(): Promise<StorageStats>;
  /** Resolves when the store answers. @throws StorageError `unavailable`. Used by health checks. */
  ping(): Promise<void>;
}

export interface WriteOptions {
  /**
   * Seconds after which the key is removed by itself, with an ordinary delete event; counted from this write, also over
   * restarts. Never early; while the store is open, late by a few seconds or a twentieth of the time. Without it the
   * key stays, also when an earlier write had set a time.
   */
  readonly ttlSeconds?: number | undefined;
}

export interface StoredObject {
  readonly key: string;
  /** Revision of the last write to the key. */
  readonly revision: number;
  /** JSON with the revision stamped in. Shared: never change it. */
  readonly bytes: Buffer;
  /** True when the value is stored in another form, and should be written even where nothing else changes. */
  readonly isStale?: boolean | undefined;
  /**
   * Why the value, written by another program, is no valid object for its key: 'it is not JSON', say. `bytes` is empty
   * then; revision and key are valid. The reader decides what to do.
   */
  readonly problem?: string | undefined;
}

export interface RangeRequest {
  /** Ends with `/` to mean a folder of keys. */
  readonly prefix: string;
  /** First key to return, inclusive; the prefix itself when left out. */
  readonly startKey?: string | undefined;
  /** At most so many objects; no limit when left out. */
  readonly limit?: number | undefined;
  /** Read as of this revision; the latest when left out. */
  readonly revision?: number | undefined;
}

export interface RangeResult {
  readonly objects: readonly StoredObject[];
  /** Revision that the answer is exact for. */
  readonly revision: number;
  /** True when `limit` cut the answer short. */
  readonly hasMore: boolean;
}

/** `revision` of an `ok` is the write's. For a delete, `object` is the last state stamped with the delete's revision. */
export type WriteResult =
  | { readonly kind: 'ok'; readonly revision: number; readonly object: StoredObject }
  | { readonly kind: 'conflict'; readonly current: StoredObject | undefined };

export interface WatchRequest {
  readonly prefix: string;
  readonly afterRevision: number;
  /** Whether the watch does without what objects were before they were replaced: it may be left out then. */
  readonly ignoresPrevious?: boolean | undefined;
}

export interface StorageEvent {
  readonly kind: 'put' | 'delete';
  /** Revision of the write. */
  readonly revision: number;
  /** New state, or for a delete the last state, stamped with the event's revision. */
  readonly object: StoredObject;
  /** State before the write; undefined when the write created the key, and perhaps where the watch ignores it. */
  readonly previous: StoredObject | undefined;
}

export interface WatchSink {
  /** Events in revision order; never called again before it returns. */
  onEvents(events: readonly StorageEvent[]): void;
  /** Everything up to `revision` has been delivered. */
  onProgress(revision: number): void;
  /** The watch ended and will deliver nothing more. */
  onError(error: StorageError): void;
}

export interface StorageWatch {
  close(): void;
}

export interface StorageStats {
  readonly revision: number;
  readonly compactedRevision: number;
  readonly objectCount: number;
  /** Bytes on disk (or in memory, for stores that have no disk). */
  readonly sizeBytes: number;
  readonly history: HistoryReach;
}

/** How far back history goes, as far as this process knows it. */
export interface HistoryReach {
  /** How long it is to be kept, in milliseconds; 0 for ever. */
  readonly keptMs: number;
  /** The oldest time whose state can be told, in milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  /** True when some that is younger than `keptMs` was forgotten, as it took more than the bytes that it may have. */
  readonly isCut: boolean;
}

export type StorageErrorCode =
  | 'compacted'
  | 'future-revision'
  | 'unavailable'
  | 'disk-full'
  | 'too-large'
  | 'corrupt'
  | 'unreadable'
  | 'locked'
  | 'wrong-dialect'
  | 'closed';

export interface StorageErrorOptions extends ErrorOptions {
  readonly mayHaveWritten?: boolean | undefined;
}

/** A storage failure. `registry` translates it to an API error in one place. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** True for a write that may have been applied. When false, it may be repeated. */
  readonly mayHaveWritten: boolean;

  constructor(
    code: StorageErrorCode,
    message: string,
    { mayHaveWritten, ...options }: StorageErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.mayHaveWritten = mayHaveWritten === true;
  }
}

/** The same failure, of a write that may have happened. */
export function asUncertain(error: StorageError): StorageError {
  return new StorageError(error.code, error.message, { cause: error, mayHaveWritten: true });
}
