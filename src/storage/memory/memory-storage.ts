import { type Clock, type Logger, silentLogger, systemClock } from '../../base/index.ts';
import {
  type RangeRequest,
  type RangeResult,
  type Storage,
  StorageError,
  type StorageEvent,
  type StorageStats,
  type StorageWatch,
  type StoredObject,
  type WatchRequest,
  type WatchSink,
  type WriteOptions,
  type WriteResult,
} from '../contract.ts';
import { HistoryCompaction, type HistoryLimits } from '../history-compaction.ts';
import { prefixEnd } from '../key-range.ts';
import { createSortedTree, type SortedTree, stopWalk } from '../sorted-tree.ts';
import { findRevision, stampRevision } from '../stamp.ts';
import { closedError, compactedError, futureError } from '../storage-errors.ts';
import { WatchHub } from '../watch-hub.ts';
import { Expirations } from './expirations.ts';
import { firstRevision, History } from './history.ts';

/** `maxHistoryBytes` is 64 MiB when left out, and history is never larger, however young. */
export interface MemoryStorageOptions extends Omit<HistoryLimits, 'leastHistoryMs'> {
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
}

const defaultMaxHistoryBytes = 64 * 1024 * 1024;

/** A store that lives and dies with the process. */
export function openMemoryStorage(options: MemoryStorageOptions = {}): Storage {
  return new MemoryStorage(options);
}

interface Put {
  readonly key: string;
  readonly value: Buffer;
  readonly previous: StoredObject | undefined;
  readonly options: WriteOptions;
}

class MemoryStorage implements Storage {
  readonly #objects = createSortedTree<StoredObject>();
  readonly #history: History;
  readonly #hub: WatchHub;
  readonly #expirations: Expirations;
  readonly #compaction: HistoryCompaction;
  #revision = firstRevision;
  #sizeBytes = 0;
  #isClosed = false;

  constructor(options: MemoryStorageOptions) {
    const { clock = systemClock, logger = silentLogger, historyMs } = options;
    this.#history = new History(options.maxHistoryBytes ?? defaultMaxHistoryBytes);
    this.#hub = new WatchHub(logger);
    this.#expirations = new Expirations({ clock, expire: (key) => this.#expire(key) });
    this.#compaction = new HistoryCompaction({
      clock,
      historyMs,
      currentRevision: () => this.#revision,
      compact: (revision) => this.#history.compact(revision),
    });
  }

  async get(key: string, revision?: number): Promise<StoredObject | undefined> {
    this.#assertOpen();
    if (revision === undefined) return this.#objects.get(key);
    this.#assertReadable(revision);
    const later = this.#history.after(revision).find((event) => event.object.key === key);
    return later === undefined ? this.#objects.get(key) : later.previous;
  }

  async range({ prefix, startKey = prefix, limit = Infinity, revision }: RangeRequest): Promise<RangeResult> {
    this.#assertOpen();
    const tree = revision === undefined ? this.#objects : this.#treeAt(revision);
    const objects: StoredObject[] = [];
    let hasMore = false;
    tree.forRange(startKey < prefix ? prefix : startKey, prefixEnd(prefix), false, (_key, object) => {
      hasMore = objects.length >= limit;
      if (hasMore) return stopWalk;
      objects.push(object);
      return undefined;
    });
    return { objects, revision: revision ?? this.#revision, hasMore };
  }

  async create(key: string, value: Buffer, options: WriteOptions = {}): Promise<WriteResult> {
    this.#assertOpen();
    const current = this.#objects.get(key);
    return current === undefined
      ? this.#put({ key, value, previous: undefined, options })
      : { kind: 'conflict', current };
  }

  async update(
    key: string,
    expectedRevision: number,
    value: Buffer,
    options: WriteOptions = {},
  ): Promise<WriteResult> {
    this.#assertOpen();
    const current = this.#objects.get(key);
    return current?.revision === expectedRevision
      ? this.#put({ key, value, previous: current, options })
      : { kind: 'conflict', current };
  }

  async delete(key: string, expectedRevision: number): Promise<WriteResult> {
    this.#assertOpen();
    const current = this.#objects.get(key);
    return current?.revision === expectedRevision ? this.#remove(current) : { kind: 'conflict', current };
  }

  watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    this.#assertOpen();
    const watch = this.#hub.add(request, sink);
    queueMicrotask(() => {
      if (request.afterRevision < this.#history.compacted) {
        watch.fail(compactedError(request.afterRevision, this.#history.compacted));
        return;
      }
      watch.deliver(this.#history.after(request.afterRevision), this.#revision);
      watch.goLive();
    });
    return watch;
  }

  async currentRevision(): Promise<number> {
    this.#assertOpen();
    return this.#revision;
  }

  async advanceRevision(revision: number): Promise<void> {
    this.#assertOpen();
    if (revision <= this.#revision) return;
    this.#revision = revision;
    this.#history.compact(revision);
    this.#hub.publish([], revision);
  }

  revisionAt(timeMs: number): number | undefined {
    return this.#compaction.revisionAt(timeMs);
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen();
    if (revision > this.#revision) throw futureError(revision, this.#revision);
    this.#history.compact(revision);
  }

  async stats(): Promise<StorageStats> {
    this.#assertOpen();
    return {
      revision: this.#revision,
      compactedRevision: this.#history.compacted,
      objectCount: this.#objects.size,
      sizeBytes: this.#sizeBytes,
      history: this.#compaction.reach,
    };
  }

  async ping(): Promise<void> {
    if (this.#isClosed) throw new StorageError('unavailable', 'storage is closed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#compaction.stop();
    this.#expirations.stop();
    this.#hub.failAll(closedError());
  }

  #put({ key, value, previous, options }: Put): WriteResult {
    const start = findRevision(value);
    const revision = this.#revision + 1;
    const object = { key, revision, bytes: stampRevision(value, revision, start) };
    this.#objects.set(key, object);
    this.#expirations.set(key, options.ttlSeconds);
    this.#sizeBytes += object.bytes.length - (previous?.bytes.length ?? 0);
    return this.#commit({ kind: 'put', revision, object, previous });
  }

  #remove(current: StoredObject): WriteResult {
    const { key } = current;
    const revision = this.#revision + 1;
    const object = { key, revision, bytes: stampRevision(current.bytes, revision) };
    this.#objects.delete(key);
    this.#expirations.set(key, undefined);
    this.#sizeBytes -= current.bytes.length;
    return this.#commit({ kind: 'delete', revision, object, previous: current });
  }

  #expire(key: string): void {
    const current = this.#objects.get(key);
    if (current !== undefined) this.#remove(current);
  }

  #commit(event: StorageEvent): WriteResult {
    this.#revision = event.revision;
    this.#history.push(event);
    this.#hub.publish([event], event.revision);
    return { kind: 'ok', revision: event.revision, object: event.object };
  }

  #treeAt(revision: number): SortedTree<StoredObject> {
    this.#assertReadable(revision);
    const tree = this.#objects.clone();
    for (const event of this.#history.after(revision).toReversed()) {
      if (event.previous === undefined) tree.delete(event.object.key);
      else tree.set(event.object.key, event.previous);
    }
    return tree;
  }

  #assertReadable(revision: number): void {
    if (revision > this.#revision) throw futureError(revision, this.#revision);
    if (revision < this.#history.compacted) throw compactedError(revision, this.#history.compacted);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closedError();
  }
}
