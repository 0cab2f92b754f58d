import type {
  RangeRequest,
  Storage,
  StorageEvent,
  StoredObject,
  WatchRequest,
  WatchSink,
  WriteOptions,
  WriteResult,
} from './contract.ts';

/** A value as readers get it. */
export interface ReadForm {
  /** The very bytes that were given where readers get what is stored. */
  readonly bytes: Buffer;
  /** True when a write of the same object would store another value. */
  readonly isStale: boolean;
  /** Why the value is no object that belongs at its key. There are no bytes then. */
  readonly problem?: string | undefined;
}

/** What stands between readers and writers, who know one form of an object, and values, which may have others. */
export interface StoredForms {
  /** The form for readers. Runs for every value that is read. Never throws. */
  read(bytes: Buffer, key: string): ReadForm;
  /** The form to store; it has the `resourceVersion` that the given one has. */
  write(bytes: Buffer): Buffer;
}

/** A store whose values are read and written through `forms`. Closing it closes `inner`. */
export function createVersionedStorage(inner: Storage, forms: StoredForms): Storage {
  return new VersionedStorage(inner, forms);
}

class VersionedStorage implements Storage {
  readonly #inner: Storage;
  readonly #forms: StoredForms;
  /** What was made of values that several readers are shown: a write's result, its event, what replaces it. */
  readonly #made = new WeakMap<Buffer, ReadForm>();

  constructor(inner: Storage, forms: StoredForms) {
    this.#inner = inner;
    this.#forms = forms;
  }

  async get(key: string, revision?: number): Promise<StoredObject | undefined> {
    const object = await this.#inner.get(key, revision);
    return object && this.#show(object);
  }

  async range(request: RangeRequest) {
    const result = await this.#inner.range(request);
    return { ...result, objects: result.objects.map((object) => this.#show(object)) };
  }

  async create(key: string, value: Buffer, options?: WriteOptions): Promise<WriteResult> {
    return this.#showResult(await this.#inner.create(key, this.#forms.write(value), options));
  }

  async update(key: string, expectedRevision: number, value: Buffer, options?: WriteOptions) {
    const written = this.#forms.write(value);
    return this.#showResult(await this.#inner.update(key, expectedRevision, written, options));
  }

  async delete(key: string, expectedRevision: number): Promise<WriteResult> {
    return this.#showResult(await this.#inner.delete(key, expectedRevision));
  }

  watch(request: WatchRequest, sink: WatchSink) {
    return this.#inner.watch(request, {
      onEvents: (events) => sink.onEvents(this.#showEvents(events)),
      onProgress: (revision) => sink.onProgress(revision),
      onError: (error) => sink.onError(error),
    });
  }

  currentRevision: Storage['currentRevision'] = () => this.#inner.currentRevision();
  advanceRevision: Storage['advanceRevision'] = (revision) => this.#inner.advanceRevision(revision);
  revisionAt: Storage['revisionAt'] = (timeMs) => this.#inner.revisionAt(timeMs);
  compact: Storage['compact'] = (revision) => this.#inner.compact(revision);
  stats: Storage['stats'] = () => this.#inner.stats();
  ping: Storage['ping'] = () => this.#inner.ping();

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inner[Symbol.asyncDispose]();
  }

  /** Nearly always the object itself. */
  #show(object: StoredObject): StoredObject {
    if (object.problem !== undefined) return object;
    const { bytes, isStale, problem } = this.#made.get(object.bytes) ?? this.#read(object);
    if (bytes === object.bytes && !isStale) return object;
    return { key: object.key, revision: object.revision, bytes, isStale, problem };
  }

  #read({ key, bytes }: StoredObject): ReadForm {
    const form = this.#forms.read(bytes, key);
    if (form.bytes !== bytes) this.#made.set(bytes, form);
    return form;
  }

  #showResult(result: WriteResult): WriteResult {
    if (result.kind === 'ok') {
      const object = this.#show(result.object);
      return object === result.object ? result : { ...result, object };
    }
    const { current } = result;
    return current === undefined ? result : { ...result, current: this.#show(current) };
  }

  /** The batch itself when nothing in it changes. */
  #showEvents(events: readonly StorageEvent[]): readonly StorageEvent[] {
    let isSame = true;
    const shown = events.map((event) => {
      const object = this.#show(event.object);
      const previous = event.previous && this.#show(event.previous);
      if (object === event.object && previous === event.previous) return event;
      isSame = false;
      return { ...event, object, previous };
    });
    return isSame ? events : shown;
  }
}
