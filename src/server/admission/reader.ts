import type { Namespace } from '../../apis/types/core-v1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ResourceStore } from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';

/**
 * Objects that plugins may read, synchronously and up to date: every acknowledged write is visible. `T` is the storage type
 * of the resource. Objects are shared: never change them. Groups are spelled in the server's dialect.
 */
export interface AdmissionReader {
  namespace(name: string): Namespace | undefined;
  /** As `namespace`; where other processes write too, it waits until a namespace that they have created is visible. */
  currentNamespace(name: string): Promise<Namespace | undefined>;
  /** As `get`; where other processes write too, it waits until an object that they have created is visible. */
  current(group: string, resource: string, namespace: string, name: string): Promise<ApiObject | undefined>;
  /** `namespace` is empty for cluster-scoped resources. */
  get<T extends ApiObject = ApiObject>(
    group: string,
    resource: string,
    namespace: string,
    name: string,
  ): T | undefined;
  /** Objects in the storage version, in key order; of one namespace when one is given. */
  list<T extends ApiObject = ApiObject>(group: string, resource: string, namespace?: string): readonly T[];
}

type Store = Pick<ResourceStore, 'cache' | 'keyPrefix' | 'isNamespaced' | 'freshen'>;

/** Namespaces whose lists are remembered; requests may name any. */
const maxKnownNamespaces = 10_000;

interface KnownList {
  readonly lastChange: number;
  readonly byNamespace: Map<string, readonly ApiObject[]>;
}

/**
 * A reader over the watch cache. An object is decoded once per version, a list once after each change of its resource,
 * so that reading on every write costs no more than a lookup.
 */
export function createAdmissionReader(
  findStore: (group: string, resource: string) => Store | undefined,
): AdmissionReader {
  const decoded = new WeakMap<CachedObject, ApiObject>();
  const lists = new Map<Store, KnownList>();

  function decode(object: CachedObject): ApiObject {
    let known = decoded.get(object);
    if (known === undefined) {
      known = object.decode() as ApiObject; // only canonical objects are stored
      decoded.set(object, known);
    }
    return known;
  }

  function get<T extends ApiObject>(group: string, resource: string, namespace: string, name: string) {
    const store = findStore(group, resource);
    if (store === undefined) return undefined;
    const path = store.isNamespaced ? `${namespace}/${name}` : name;
    const object = store.cache.get(store.keyPrefix + path);
    // Resources hold objects of their type only.
    return object && (decode(object) as T);
  }

  function list<T extends ApiObject>(group: string, resource: string, namespace = ''): readonly T[] {
    const store = findStore(group, resource);
    if (store === undefined) return [];
    const { lastChange } = store.cache;
    let known = lists.get(store);
    if (known === undefined || known.lastChange !== lastChange) {
      known = { lastChange, byNamespace: new Map() };
      lists.set(store, known);
    }
    let objects = known.byNamespace.get(namespace);
    if (objects === undefined) {
      const prefix = namespace === '' ? store.keyPrefix : `${store.keyPrefix}${namespace}/`;
      objects = store.cache.list({ prefix }).objects.map(decode);
      if (known.byNamespace.size >= maxKnownNamespaces) known.byNamespace.clear();
      known.byNamespace.set(namespace, objects);
    }
    return objects as readonly T[];
  }

  const current: AdmissionReader['current'] = async (...key) => {
    if (get(...key) === undefined) await findStore(key[0], key[1])?.freshen?.();
    return get(...key);
  };
  const namespace = (name: string) => get<Namespace>('', 'namespaces', '', name);

  return {
    namespace,
    async currentNamespace(name) {
      await current('', 'namespaces', '', name);
      return namespace(name);
    },
    current,
    get,
    list,
  };
}
