import type { ListPage, LocalCollection, LocalCollections, LocalEvent } from '../client/rest/index.ts';
import { parseMetadata, parseWithoutOwners, splitMetadata } from '../machinery/codec/index.ts';
import type { StatusError } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { formatGroupVersion } from '../machinery/schema/index.ts';
import {
  listObjects,
  parseWatchStart,
  type Selection,
  type ServedKind,
  type Stores,
  type WatchReceiver,
  watchObjects,
} from '../registry/index.ts';
import { cachedBytes, readSelection, type ServerMetrics } from '../server/index.ts';
import type { CachedObject, WatchEvent } from '../storage/watch-cache/index.ts';
import type { ApiModel } from './api-model.ts';

/** Objects that are handed over at once. */
const pageSize = 500;

/**
 * The collections of this server's own stores, for the parts of its process that may see everything: controllers and the
 * scheduler. An object is parsed once for all of them. Custom resources and those of other servers come by requests.
 */
export function localCollections({ stores, fieldsOf, metrics }: LocalCollectionsOptions): LocalCollections {
  const objects = new ParsedObjects();
  return {
    find(request) {
      const served = stores.served.get(`${request.group}/${request.version}/${request.resource}`);
      if (served === undefined) return undefined;
      return new StoredCollection({
        served,
        selection: readSelection(request, fieldsOf(served.kind)),
        read: request.isMetadataOnly === true ? readMetadata : (kind, object) => objects.read(kind, object),
        watchers: metrics.watchersOf(served.kind),
      });
    },
  };
}

/** What they are read from, and who counts their watches. */
export interface LocalCollectionsOptions {
  readonly stores: Pick<Stores, 'served'>;
  readonly fieldsOf: ApiModel['fieldsOf'];
  readonly metrics: Pick<ServerMetrics, 'watchersOf'>;
}

interface Collected {
  readonly served: ServedKind;
  readonly selection: Selection;
  readonly read: (served: ServedKind, cached: CachedObject) => ApiObject;
  readonly watchers: ReturnType<ServerMetrics['watchersOf']>;
}

class StoredCollection implements LocalCollection {
  readonly #collected: Collected;

  constructor(collected: Collected) {
    this.#collected = collected;
  }

  async *list(signal: AbortSignal): AsyncGenerator<ListPage> {
    const { served, selection, read } = this.#collected;
    const { store } = served;
    const newest = {
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continueToken: '',
      isWatch: false,
    };
    const { objects, revision } = await listObjects(store, {
      ...selection,
      ...newest,
      signal: () => signal,
    });
    const resourceVersion = String(revision);
    const slice = store.cache.slices.begin();
    let items: ApiObject[] = [];
    for (const object of objects) {
      items.push(read(served, object));
      if (slice.isSpent()) await slice.rest();
      signal.throwIfAborted();
      if (items.length < pageSize) continue;
      yield { items, resourceVersion };
      items = [];
    }
    yield { items, resourceVersion };
  }

  async *watch(resourceVersion: string, signal: AbortSignal): AsyncGenerator<LocalEvent> {
    const { served, selection, read, watchers } = this.#collected;
    const { store } = served;
    const waiting = new WaitingEvents();
    const watch = watchObjects(store, { ...selection, start: parseWatchStart(resourceVersion) }, waiting);
    const leave = (): void => waiting.onEnd();
    signal.addEventListener('abort', leave);
    // It may have aborted since the list ended, and says so once only.
    if (signal.aborted) leave();
    watchers.add(1);
    try {
      for (let events = await waiting.take(); events.length > 0; events = await waiting.take()) {
        const slice = store.cache.slices.begin();
        for (const { type, object } of events) {
          if (signal.aborted) return;
          yield { type, object: read(served, object) };
          if (slice.isSpent()) await slice.rest();
        }
      }
    } finally {
      signal.removeEventListener('abort', leave);
      watch.close();
      watchers.add(-1);
    }
  }
}

/** Events between the watch cache, which waits for nobody, and who takes them. */
class WaitingEvents implements WatchReceiver {
  #events: WatchEvent[] = [];
  #end: { readonly error?: StatusError } | undefined;
  #wake: (() => void) | undefined;

  onEvent(event: WatchEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  onError(error: StatusError): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  onEnd(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** All that came since the last call, once there is any; none at the end. @throws StatusError that ended the watch */
  async take(): Promise<readonly WatchEvent[]> {
    if (this.#events.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const events = this.#events;
    this.#events = [];
    if (events.length === 0 && this.#end?.error !== undefined) throw this.#end.error;
    return events;
  }
}

/** Only its metadata: large data, and forms of other versions, are not made. */
const readMetadata: Collected['read'] = ({ kind }, { bytes }) => ({
  kind: kind.kind,
  apiVersion: formatGroupVersion(kind.group, kind.version),
  metadata: parseMetadata(bytes),
});

/** Whole objects as those who follow them see them. Each is parsed once for as long as anybody keeps it. */
class ParsedObjects {
  /** By version of an object, in the API version that was asked for last: others are seldom asked for as well. */
  readonly #parsed = new WeakMap<CachedObject, { readonly apiVersion: string; object: WeakRef<ApiObject> }>();

  read(served: ServedKind, cached: CachedObject): ApiObject {
    const apiVersion = formatGroupVersion(served.kind.group, served.kind.version);
    const known = this.#parsed.get(cached);
    const shared = known?.apiVersion === apiVersion ? known.object.deref() : undefined;
    if (shared !== undefined) return shared;
    const bytes = cachedBytes(served, cached);
    // Only objects of the API are stored, by this program.
    const object = parseWithoutOwners(bytes, splitMetadata(bytes));
    this.#parsed.set(cached, { apiVersion, object: new WeakRef(object) });
    return object;
  }
}
