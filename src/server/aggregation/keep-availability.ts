import type { APIService } from '../../apis/types/apiregistration-v1beta1.ts';
import type { Endpoints, Service } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { isPathSegmentName } from '../../machinery/formats/index.ts';
import {
  formatNow,
  keyOf,
  type ResourceStore,
  type ServedKind,
  serverUser,
  updateObject,
} from '../../registry/index.ts';
import type { CacheWatch } from '../../storage/watch-cache/index.ts';
import { type Backend, decideAvailability } from './decide-availability.ts';

/** How long after a failure it is tried again. */
const retryMs = 5000;

/** Where the objects are. */
export interface AvailabilityStores {
  readonly apiServices: ServedKind;
  readonly services: ResourceStore;
  readonly endpoints: ResourceStore;
}

/** Whose conditions are kept, and how. */
export interface KeepAvailabilityOptions {
  readonly stores: AvailabilityStores;
  /** In whose name conditions are written. */
  readonly manager: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Keeps the conditions of all API services true, until the returned function is called: it resolves when nothing is
 * written any more. Objects are watched one by one, so that other services cost nothing.
 */
export function keepAvailability(options: KeepAvailabilityOptions): () => Promise<void> {
  const keeper = new AvailabilityKeeper(options);
  return () => keeper.stop();
}

class AvailabilityKeeper {
  readonly #options: KeepAvailabilityOptions;
  /** Watches of the service and the endpoints that each API service names, by its name. */
  readonly #backends = new Map<string, BackendWatches>();
  /** Names of API services to look at. */
  readonly #due = new Set<string>();
  #watch: CacheWatch | undefined;
  #working: Promise<void> | undefined;
  #cancelRetry = () => {};
  #isStopped = false;

  constructor(options: KeepAvailabilityOptions) {
    this.#options = options;
    this.#start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRetry();
    this.#watch?.close();
    for (const name of [...this.#backends.keys()]) this.#forget(name);
    await this.#working;
  }

  #start(): void {
    const { store } = this.#options.stores.apiServices;
    this.#watch = store.cache.watch(
      { prefix: store.keyPrefix, afterRevision: 'state' },
      {
        onEvent: ({ type, object }) => {
          const name = object.key.slice(store.keyPrefix.length);
          if (type === 'DELETED') this.#forget(name);
          else this.#look(name);
        },
        onError: () => this.#restart(),
      },
    );
  }

  /** The store was read anew, or left the watches behind: they begin again with the state as it is. */
  #restart(): void {
    this.#watch?.close();
    for (const name of [...this.#backends.keys()]) this.#forget(name);
    this.#retry(() => this.#start());
  }

  #retry(act: () => void): void {
    if (this.#isStopped) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#options.clock.setTimer(retryMs, act);
  }

  #forget(name: string): void {
    this.#due.delete(name);
    const watches = this.#backends.get(name);
    this.#backends.delete(name);
    watches?.service.close();
    watches?.endpoints.close();
  }

  #look(name: string): void {
    if (this.#isStopped) return;
    this.#due.add(name);
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  async #work(): Promise<void> {
    // What asks in one round of the loop is looked at once.
    await new Promise((resolve) => setImmediate(resolve));
    for (const name of this.#due) {
      this.#due.delete(name);
      if (this.#isStopped) return;
      try {
        await this.#settle(name);
      } catch (error) {
        // What came in between, or a deletion, is told by the watch.
        if (isReason(error, 'Conflict') || isReason(error, 'NotFound')) continue;
        this.#options.logger.error('availability of an API service was not recorded', {
          apiService: name,
          error,
        });
        this.#retry(() => this.#look(name));
      }
    }
  }

  async #settle(name: string): Promise<void> {
    const { stores, manager, clock } = this.#options;
    const { store } = stores.apiServices;
    const apiService = read<APIService>(store, keyOf(store, '', name));
    if (apiService === undefined) return;
    const backend = this.#follow(name, apiService);
    const conditions = decideAvailability(apiService, backend, formatNow(clock.nowMs()));
    if (conditions === undefined) return;
    const { resourceVersion } = apiService.metadata;
    const bytes = Buffer.from(JSON.stringify({ metadata: { resourceVersion }, status: { conditions } }));
    await updateObject(stores.apiServices, {
      namespace: '',
      name,
      subresource: 'status',
      change: { kind: 'patch', format: 'merge', bytes },
      manager,
      options: { user: serverUser, isDryRun: false },
    });
  }

  /** Watches what an API service names, from here on, and says how it is. */
  #follow(apiName: string, { spec: { service } }: APIService): Backend {
    const { services, endpoints } = this.#options.stores;
    const { namespace = '', name = '' } = service ?? {};
    const id = `${namespace}/${name}`;
    if (this.#backends.get(apiName)?.id !== id) this.#forget(apiName);
    // Names that no object can have are no keys.
    if (![namespace, name].every((part) => isPathSegmentName(part).length === 0 && part !== '')) {
      return { service: undefined, endpoints: undefined };
    }
    const serviceKey = keyOf(services, namespace, name);
    const endpointsKey = keyOf(endpoints, namespace, name);
    if (!this.#backends.has(apiName)) {
      const follow = (store: ResourceStore, prefix: string): CacheWatch =>
        store.cache.watch(
          { prefix, afterRevision: 'now' },
          { onEvent: () => this.#look(apiName), onError: () => this.#restart() },
        );
      this.#backends.set(apiName, {
        id,
        service: follow(services, serviceKey),
        endpoints: follow(endpoints, endpointsKey),
      });
    }
    return {
      service: read<Service>(services, serviceKey),
      endpoints: read<Endpoints>(endpoints, endpointsKey),
    };
  }
}

/** Watches of what one API service names. */
interface BackendWatches {
  /** Tells another place from this one. */
  readonly id: string;
  readonly service: CacheWatch;
  readonly endpoints: CacheWatch;
}

function read<Kind>({ cache }: ResourceStore, key: string): Kind | undefined {
  const stored = cache.get(key);
  return stored === undefined ? undefined : (stored.decode() as Kind); // what its store holds
}
