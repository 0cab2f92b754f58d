import type { Storage, WatchRequest, WatchSink, WriteOptions, WriteResult } from '../../src/storage/index.ts';

/** Storage that lets a test act just before a write reaches it: another writer who is faster, or a failure. */
export class InterruptibleStorage implements Storage {
  readonly #inner: Storage;
  #interruptions: (() => unknown)[] = [];
  /** Writes that changed something. */
  writeCount = 0;

  constructor(inner: Storage) {
    this.#inner = inner;
  }

  /** Runs `act` before the next write; several wait for one write each. What it throws is the write's failure. */
  interruptNextWrite(act: () => unknown): void {
    this.#interruptions.push(act);
  }

  get: Storage['get'] = (key, revision) => this.#inner.get(key, revision);
  range: Storage['range'] = (request) => this.#inner.range(request);
  currentRevision: Storage['currentRevision'] = () => this.#inner.currentRevision();
  advanceRevision: Storage['advanceRevision'] = (revision) => this.#inner.advanceRevision(revision);
  revisionAt: Storage['revisionAt'] = (timeMs) => this.#inner.revisionAt(timeMs);
  compact: Storage['compact'] = (revision) => this.#inner.compact(revision);
  stats: Storage['stats'] = () => this.#inner.stats();
  ping: Storage['ping'] = () => this.#inner.ping();

  create(key: string, value: Buffer, options?: WriteOptions): Promise<WriteResult> {
    return this.#write(() => this.#inner.create(key, value, options));
  }

  update(key: string, expectedRevision: number, value: Buffer, options?: WriteOptions): Promise<WriteResult> {
    return this.#write(() => this.#inner.update(key, expectedRevision, value, options));
  }

  delete(key: string, expectedRevision: number): Promise<WriteResult> {
    return this.#write(() => this.#inner.delete(key, expectedRevision));
  }

  watch(request: WatchRequest, sink: WatchSink) {
    return this.#inner.watch(request, sink);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#inner[Symbol.asyncDispose]());
  }

  async #write(write: () => Promise<WriteResult>): Promise<WriteResult> {
    await this.#interruptions.shift()?.();
    const result = await write();
    if (result.kind === 'ok') this.writeCount++;
    return result;
  }
}
