import { errorText } from '../../base/index.ts';
import {
  type RangeRequest,
  type Storage,
  StorageError,
  type StorageEvent,
  type StoredObject,
  type WatchRequest,
  type WatchSink,
  type WriteOptions,
  type WriteResult,
} from '../contract.ts';
import { isSealed, unwrapSealed, wrapSealed } from '../sealed-value.ts';
import { restoreObject, stripRevision } from '../stored-value.ts';
import { ProviderChain } from './providers.ts';

/** Finds the providers of a key; undefined where values are stored as they are. */
export type FindProviders = (key: string) => ProviderChain | undefined;

/**
 * A store whose values are sealed as the providers of their keys say. What cannot be opened is a problem of that value
 * only. Closing it closes `inner`.
 */
export function createEncryptedStorage(inner: Storage, findProviders: FindProviders): Storage {
  return new EncryptedStorage(inner, findProviders);
}

/** For sealed values where nothing says how to open them. */
const noProviders = new ProviderChain([{ kind: 'identity' }]);
const noBytes = Buffer.alloc(0);

type Eventually<T> = T | Promise<T>;

class EncryptedStorage implements Storage {
  readonly #inner: Storage;
  readonly #find: FindProviders;
  /** What was opened of values that several readers are shown. */
  readonly #opened = new WeakMap<Buffer, StoredObject>();

  constructor(inner: Storage, findProviders: FindProviders) {
    this.#inner = inner;
    this.#find = findProviders;
  }

  async get(key: string, revision?: number): Promise<StoredObject | undefined> {
    const object = await this.#inner.get(key, revision);
    return object && this.#show(object);
  }

  async range(request: RangeRequest) {
    const result = await this.#inner.range(request);
    const shown = result.objects.map((object) => this.#show(object));
    return { ...result, objects: await settle(shown) };
  }

  async create(key: string, value: Buffer, options?: WriteOptions): Promise<WriteResult> {
    const sealed = this.#seal(key, value);
    // Writes that wait for nothing stay in the order in which they were started.
    const ready = sealed instanceof Promise ? await sealed : sealed;
    return this.#showResult(await this.#inner.create(key, ready, options));
  }

  async update(key: string, expectedRevision: number, value: Buffer, options?: WriteOptions) {
    const sealed = this.#seal(key, value);
    const ready = sealed instanceof Promise ? await sealed : sealed;
    return this.#showResult(await this.#inner.update(key, expectedRevision, ready, options));
  }

  async delete(key: string, expectedRevision: number): Promise<WriteResult> {
    return this.#showResult(await this.#inner.delete(key, expectedRevision));
  }

  /** Events that wait for a key hold back those behind them. */
  watch(request: WatchRequest, sink: WatchSink) {
    let behind: Promise<void> | undefined;
    let isClosed = false;
    const inOrder = (deliver: () => void, ready?: Promise<void>): void => {
      if (behind === undefined && ready === undefined) {
        deliver();
        return;
      }
      const mine: Promise<void> = Promise.all([behind, ready]).then(() => {
        if (behind === mine) behind = undefined;
        if (!isClosed) deliver();
      });
      behind = mine;
    };
    const watch = this.#inner.watch(request, {
      onEvents: (events) => {
        const shown = this.#showEvents(events);
        if (!(shown instanceof Promise)) inOrder(() => sink.onEvents(shown));
        else {
          let opened: readonly StorageEvent[] = [];
          const ready = shown.then((all) => {
            opened = all;
          });
          inOrder(() => sink.onEvents(opened), ready);
        }
      },
      onProgress: (revision) => inOrder(() => sink.onProgress(revision)),
      onError: (error) => inOrder(() => sink.onError(error)),
    });
    return {
      close() {
        isClosed = true;
        watch.close();
      },
    };
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

  #seal(key: string, value: Buffer): Eventually<Buffer> {
    const providers = this.#find(key);
    if (providers?.sealsPlain !== true) return value;
    const plain = stripRevision(value);
    try {
      const sealed = providers.seal(plain, key);
      if (sealed === undefined) return value;
      return sealed instanceof Promise
        ? sealed.then((bytes) => wrapSealed(bytes), cannotSeal)
        : wrapSealed(sealed);
    } catch (error) {
      return cannotSeal(error);
    }
  }

  #show(object: StoredObject): Eventually<StoredObject> {
    if (object.problem !== undefined) return object;
    const sealed = unwrapSealed(object.bytes);
    const providers = this.#find(object.key);
    if (sealed === undefined) return providers === undefined ? object : showPlain(object, providers);
    return this.#opened.get(object.bytes) ?? this.#open(object, sealed, providers ?? noProviders);
  }

  #open(object: StoredObject, sealed: Buffer, providers: ProviderChain): Eventually<StoredObject> {
    const { key, revision } = object;
    const keep = ({
      plain,
      isStale,
    }: {
      readonly plain: Buffer;
      readonly isStale: boolean;
    }): StoredObject => {
      const restored = restoreObject(key, revision, plain);
      const shown = isStale ? { ...restored, isStale } : restored;
      this.#opened.set(object.bytes, shown);
      return shown;
    };
    const fail = (error: unknown): StoredObject => ({
      key,
      revision,
      bytes: noBytes,
      problem: errorText(error),
    });
    if (!isSealed(sealed)) return fail(new Error('it is not sealed as it says'));
    try {
      const opened = providers.open(sealed, key);
      return opened instanceof Promise ? opened.then(keep).catch(fail) : keep(opened);
    } catch (error) {
      return fail(error);
    }
  }

  async #showResult(result: WriteResult): Promise<WriteResult> {
    if (result.kind === 'ok') {
      const object = await this.#show(result.object);
      return object === result.object ? result : { ...result, object };
    }
    const { current } = result;
    return current === undefined ? result : { ...result, current: await this.#show(current) };
  }

  /** The batch itself when nothing in it changes. */
  #showEvents(events: readonly StorageEvent[]): Eventually<readonly StorageEvent[]> {
    let isSame = true;
    const shown = events.map((event): Eventually<StorageEvent> => {
      const object = this.#show(event.object);
      const previous = event.previous && this.#show(event.previous);
      if (object === event.object && previous === event.previous) return event;
      isSame = false;
      if (!(object instanceof Promise) && !(previous instanceof Promise))
        return { ...event, object, previous };
      return Promise.all([object, previous]).then(([one, other]) => ({
        ...event,
        object: one,
        previous: other,
      }));
    });
    return isSame ? events : settle(shown);
  }
}

/** At once where nothing is waited for. */
function settle<T extends object>(values: readonly Eventually<T>[]): Eventually<readonly T[]> {
  const settled = values.filter((value): value is T => !(value instanceof Promise));
  return settled.length === values.length ? settled : Promise.all(values);
}

function showPlain(object: StoredObject, providers: ProviderChain): StoredObject {
  const { plainProblem: problem } = providers;
  if (problem !== undefined) return { key: object.key, revision: object.revision, bytes: noBytes, problem };
  return providers.sealsPlain ? { ...object, isStale: true } : object;
}

function cannotSeal(cause: unknown): never {
  throw new StorageError('unreadable', `the value cannot be encrypted: ${errorText(cause)}`, { cause });
}
