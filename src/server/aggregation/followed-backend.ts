import type { APIService } from '../../apis/types/apiregistration-v1.ts';
import type { Endpoints, Service } from '../../apis/types/core-v1.ts';
import { isPathSegmentName } from '../../machinery/formats/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { decodeStored, keyOf, type ResourceStore } from '../../registry/index.ts';
import type { CacheWatch } from '../../storage/watch-cache/index.ts';
import type { Backend } from './decide-availability.ts';

/** Where services and their endpoints are. */
export interface BackendStores {
  readonly services: ResourceStore;
  readonly endpoints: ResourceStore;
}

/** What is told of a service that is followed. */
export interface BackendEvents {
  readonly onChange: () => void;
  /** Changes are told no more: the store was read anew, or left the watches behind. */
  readonly onLost: () => void;
}

/** The service that one API service names, and its endpoints. They are watched one by one, so that others cost nothing. */
export class FollowedBackend {
  readonly #stores: BackendStores;
  readonly #events: BackendEvents;
  /** Tells the place that is watched from others. */
  #id = '';
  #watches: readonly CacheWatch[] = [];

  constructor(stores: BackendStores, events: BackendEvents) {
    this.#stores = stores;
    this.#events = events;
  }

  /** What the API service names, as it is now. It is watched from here on. */
  follow({ spec: { service } }: Pick<APIService, 'spec'>): Backend {
    const { services, endpoints } = this.#stores;
    const { namespace = '', name = '' } = service ?? {};
    const id = `${namespace}/${name}`;
    if (this.#id !== id) this.close();
    this.#id = id;
    // Names that no object can have are no keys.
    if (![namespace, name].every((part) => isPathSegmentName(part).length === 0 && part !== '')) {
      return { service: undefined, endpoints: undefined };
    }
    const serviceKey = keyOf(services, namespace, name);
    const endpointsKey = keyOf(endpoints, namespace, name);
    if (this.#watches.length === 0) {
      this.#watches = [this.#watch(services, serviceKey), this.#watch(endpoints, endpointsKey)];
    }
    return {
      service: readCached<Service>(services, serviceKey),
      endpoints: readCached<Endpoints>(endpoints, endpointsKey),
    };
  }

  close(): void {
    for (const watch of this.#watches) watch.close();
    this.#watches = [];
  }

  #watch(store: ResourceStore, prefix: string): CacheWatch {
    const { onChange, onLost } = this.#events;
    return store.cache.watch({ prefix, afterRevision: 'now' }, { onEvent: onChange, onError: onLost });
  }
}

/** An object as the cache has it. */
export function readCached<Kind extends ApiObject>({ cache }: ResourceStore, key: string): Kind | undefined {
  const stored = cache.get(key);
  return stored && decodeStored<Kind>(stored);
}
