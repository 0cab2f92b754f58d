import type { ApiObject } from '../../machinery/meta/index.ts';
import { type ReflectorOptions, runReflector } from '../list-watch/index.ts';
import type { CollectionRequest } from '../rest/index.ts';

/** What an informer follows and whom it tells. Handlers must not throw; they run one at a time, in order. */
export interface InformerOptions<T extends ApiObject = ApiObject>
  extends Omit<ReflectorOptions, 'collection' | 'sink'> {
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Undefined: all namespaces, or cluster-scoped. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** What is kept of an object, and handed to the handlers. The object is the informer's own: it may be changed. */
  readonly transform?: ((object: T) => T) | undefined;
  readonly onAdd?: ((object: T) => void) | undefined;
  /** Also called when a new list shows an object that changed unseen; not when its version is the same. */
  readonly onUpdate?: ((object: T, previous: T) => void) | undefined;
  /** `object` is the last state seen; a deletion that happened during a gap is reported after the next list. */
  readonly onDelete?: ((object: T) => void) | undefined;
}

/** A collection kept in memory, as fresh as the last event. Objects are shared: never change them. */
export interface Informer<T extends ApiObject = ApiObject> {
  /** An object by namespace (empty for cluster-scoped) and name. */
  get(namespace: string, name: string): T | undefined;
  /** All objects, in no order. */
  list(): readonly T[];
  /** Whether the first list has arrived. */
  readonly isSynced: boolean;
  /** Resolves after the first list and its `onAdd` calls; rejects when the informer ends before. */
  readonly whenSynced: Promise<void>;
  /** Resolves when the informer has ended, after `signal` aborted. */
  readonly done: Promise<void>;
}

/** Starts following a collection. It goes on through failures until `signal` aborts. */
export function startInformer<T extends ApiObject = ApiObject>(options: InformerOptions<T>): Informer<T> {
  const store = new Map<string, T>();
  const synced = Promise.withResolvers<void>();
  synced.promise.catch(() => {}); // nobody may be waiting
  let isSynced = false;

  const { transform = (object) => object } = options;

  const upsert = (given: T) => {
    const object = transform(given);
    const key = keyOf(object);
    const previous = store.get(key);
    store.set(key, object);
    if (previous === undefined) options.onAdd?.(object);
    else if (!isSameVersion(object, previous)) options.onUpdate?.(object, previous);
  };
  const remove = (object: T) => {
    if (store.delete(keyOf(object))) options.onDelete?.(transform(object));
  };

  const { resource, namespace, labelSelector, fieldSelector } = options;
  const collection: CollectionRequest = { ...resource, namespace, labelSelector, fieldSelector };
  let listed: T[] = [];
  const done = runReflector({
    ...options,
    collection,
    sink: {
      beginList() {
        listed = [];
      },
      addListed(objects) {
        // The collection's kind is the caller's to know; nothing here looks beyond metadata.
        for (const object of objects) listed.push(object as T);
      },
      endList() {
        const keys = new Set(listed.map(keyOf));
        for (const [key, object] of store) if (!keys.has(key)) remove(object);
        for (const object of listed) upsert(object);
        listed = [];
        isSynced = true;
        synced.resolve();
      },
      upsert: (object) => upsert(object as T),
      remove: (object) => remove(object as T),
    },
  }).finally(() => synced.reject(new Error('the informer has ended')));

  return {
    get: (inNamespace, name) => store.get(`${inNamespace}/${name}`),
    list: () => [...store.values()],
    get isSynced() {
      return isSynced;
    },
    whenSynced: synced.promise,
    done,
  };
}

function keyOf({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** Another object under the same name has another uid, and its versions say nothing about this one's. */
function isSameVersion(a: ApiObject, b: ApiObject): boolean {
  return a.metadata.resourceVersion === b.metadata.resourceVersion && a.metadata.uid === b.metadata.uid;
}
