import type {
  RangeRequest,
  RangeResult,
  Storage,
  StoredObject,
  WatchRequest,
  WatchSink,
  WriteOptions,
  WriteResult,
} from './contract.ts';

/** What a store is asked for, in the words of release 1.20's metrics. */
export type StorageOperation = 'get' | 'list' | 'create' | 'update' | 'delete';

/** Told how long each answer took, whatever it was; `key` is that of the object, or the prefix of a list. */
export type TellTime = (operation: StorageOperation, key: string, seconds: number) => void;

/** The same store, whose answers are timed. Closing it closes `inner`. */
export function createTimedStorage(inner: Storage, tell: TellTime): Storage {
  return new TimedStorage(inner, tell);
}

class TimedStorage implements Storage {
  readonly #inner: Storage;
  readonly #tell: TellTime;

  constructor(inner: Storage, tell: TellTime) {
    this.#inner = inner;
    this.#tell = tell;
  }

  get(key: string, revision?: number): Promise<StoredObject | undefined> {
    return this.#timed('get', key, () => this.#inner.get(key, revision));
  }

  range(request: RangeRequest): Promise<RangeResult> {
    return this.#timed('list', request.prefix, () => this.#inner.range(request));
  }

  create(key: string, value: Buffer, options?: WriteOptions): Promise<WriteResult> {
    return this.#timed('create', key, () => this.#inner.create(key, value, options));
  }

  update(key: string, expectedRevision: number, value: Buffer, options?: WriteOptions): Promise<WriteResult> {
    return this.#timed('update', key, () => this.#inner.update(key, expectedRevision, value, options));
  }

  delete(key: string, expectedRevision: number): Promise<WriteResult> {
    return this.#timed('delete', key, () => this.#inner.delete(key, expectedRevision));
  }

  watch(request: WatchRequest, sink: WatchSink) {
    return this.#inner.watch(request, sink);
  }

  currentRevision(): Promise<number> {
    return this.#inner.currentRevision();
  }

  advanceRevision(revision: number): Promise<void> {
    return this.#inner.advanceRevision(revision);
  }

  revisionAt(timeMs: number): number | undefined {
    return this.#inner.revisionAt(timeMs);
  }

  compact(revision: number): Promise<void> {
    return this.#inner.compact(revision);
  }

  stats() {
    return this.#inner.stats();
  }

  ping(): Promise<void> {
    return this.#inner.ping();
  }

  [Symbol.asyncDispose]() {
    return this.#inner[Symbol.asyncDispose]();
  }

  /** Gives the caller the store's own promise, so that answers come no later for being timed. */
  #timed<T>(operation: StorageOperation, key: string, ask: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    const answer = ask();
    const tell = () => this.#tell(operation, key, (performance.now() - startedAtMs) / 1000);
    answer.then(tell, tell);
    return answer;
  }
}
