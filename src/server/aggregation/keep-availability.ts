import type { APIService } from '../../apis/types/apiregistration-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import {
  formatNow,
  keyOf,
  type ResourceStore,
  type ServedKind,
  serverUser,
  updateObject,
} from '../../registry/index.ts';
import type { CacheWatch } from '../../storage/watch-cache/index.ts';
import { decideConditions, type Finding, findAvailability, findingOfCall } from './decide-availability.ts';
import { FollowedBackend, readCached } from './followed-backend.ts';
import { type RemoteApi, remoteApiOf } from './remote-apis.ts';

/** How long after a failure it is tried again. */
const retryMs = 5000;
/** Longest time after which a server that fails is called again; each failure doubles it. Source: release 1.20. */
const maxRetryMs = 30_000;
/** How often a server that answers is called. */
const recheckMs = 30_000;

/** Where the objects are. */
export interface AvailabilityStores {
  readonly apiServices: ServedKind;
  readonly services: ResourceStore;
  readonly endpoints: ResourceStore;
}

/** What was found of an API service, which may be what was known. */
export interface AvailabilityOutcome {
  readonly name: string;
  readonly finding: Finding;
  readonly wasAvailable: boolean;
}

/** Whose conditions are kept, and how. */
export interface KeepAvailabilityOptions {
  readonly stores: AvailabilityStores;
  /** In whose name conditions are written. */
  readonly manager: string;
  /** Calls a server: resolves with what is wrong, undefined when it answers. */
  readonly check: (api: RemoteApi, signal: AbortSignal) => Promise<string | undefined>;
  /** Told of each API service that was looked at, and of those that are gone, for the metrics. */
  readonly onOutcome: (outcome: AvailabilityOutcome) => void;
  readonly onGone: (name: string) => void;
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
  /** What is known of the API services that are looked at, by name. */
  readonly #tracked = new Map<string, Tracked>();
  readonly #working = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #watch: CacheWatch | undefined;
  #cancelRestart = () => {};

  constructor(options: KeepAvailabilityOptions) {
    this.#options = options;
    this.#start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelRestart();
    this.#watch?.close();
    for (const name of [...this.#tracked.keys()]) this.#forget(name);
    await Promise.all(this.#working);
  }

  #start(): void {
    const { store } = this.#options.stores.apiServices;
    this.#watch = store.cache.watch(
      { prefix: store.keyPrefix, afterRevision: 'state' },
      {
        onEvent: ({ type, object }) => {
          const name = object.key.slice(store.keyPrefix.length);
          if (type === 'DELETED') {
            this.#forget(name);
            this.#options.onGone(name);
          } else this.#look(name);
        },
        onError: () => this.#restart(),
      },
    );
  }

  /** The store was read anew, or left the watches behind: they begin again with the state as it is. */
  #restart(): void {
    this.#watch?.close();
    for (const name of [...this.#tracked.keys()]) this.#forget(name);
    if (this.#stopping.signal.aborted) return;
    this.#cancelRestart();
    this.#cancelRestart = this.#options.clock.setTimer(retryMs, () => this.#start());
  }

  #forget(name: string): void {
    const tracked = this.#tracked.get(name);
    if (tracked === undefined) return;
    this.#tracked.delete(name);
    tracked.cancelTimer();
    tracked.gone.abort();
    tracked.backend.close();
  }

  #look(name: string): void {
    if (this.#stopping.signal.aborted) return;
    const tracked = this.#tracked.get(name) ?? this.#track(name);
    if (tracked.state !== 'idle') {
      tracked.state = 'again';
      return;
    }
    tracked.state = 'busy';
    const work = this.#work(tracked).finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  #track(name: string): Tracked {
    const backend = new FollowedBackend(this.#options.stores, {
      onChange: () => {
        tracked.epoch++;
        this.#look(name);
      },
      onLost: () => this.#restart(),
    });
    const tracked: Tracked = {
      name,
      backend,
      gone: new AbortController(),
      cancelTimer: () => {},
      failures: 0,
      epoch: 0,
      state: 'idle',
      called: undefined,
    };
    this.#tracked.set(name, tracked);
    return tracked;
  }

  /** Each API service has work of its own, so that a slow server delays nobody else. */
  async #work(tracked: Tracked): Promise<void> {
    do {
      // What asks in one round of the loop is looked at once.
      await new Promise((resolve) => setImmediate(resolve));
      tracked.state = 'busy';
      tracked.cancelTimer();
      if (tracked.gone.signal.aborted) return;
      const delayMs = await this.#settleSafely(tracked);
      if (tracked.gone.signal.aborted) return;
      if (delayMs !== undefined) this.#lookAfter(tracked, delayMs);
    } while (isAgain(tracked));
    tracked.state = 'idle';
  }

  #lookAfter(tracked: Tracked, delayMs: number): void {
    tracked.cancelTimer = this.#options.clock.setTimer(delayMs, () => {
      tracked.epoch++;
      this.#look(tracked.name);
    });
  }

  async #settleSafely(tracked: Tracked): Promise<number | undefined> {
    try {
      return await this.#settle(tracked);
    } catch (error) {
      // What came in between, or a deletion, is told by the watch.
      if (isReason(error, 'Conflict') || isReason(error, 'NotFound')) return undefined;
      this.#options.logger.error('availability of an API service was not recorded', {
        apiService: tracked.name,
        error,
      });
      return retryMs;
    }
  }

  /** Resolves with the time after which to look again, if nothing happens before. */
  async #settle(tracked: Tracked): Promise<number | undefined> {
    const { stores, manager, clock } = this.#options;
    const { store } = stores.apiServices;
    const apiService = readCached<APIService>(store, keyOf(store, '', tracked.name));
    if (apiService === undefined) return undefined;
    const known = findAvailability(apiService.spec, tracked.backend.follow(apiService));
    const found = known ?? (await this.#call(tracked, apiService));
    if (found === undefined) return undefined;
    const before = apiService.status?.conditions ?? [];
    const wasAvailable = before.some(({ type, status }) => type === 'Available' && status === 'True');
    const conditions = decideConditions(before, found, formatNow(clock.nowMs()));
    if (conditions !== undefined) {
      const { resourceVersion } = apiService.metadata;
      const bytes = Buffer.from(JSON.stringify({ metadata: { resourceVersion }, status: { conditions } }));
      await updateObject(stores.apiServices, {
        namespace: '',
        name: tracked.name,
        subresource: 'status',
        change: { kind: 'patch', format: 'merge', bytes },
        manager,
        options: { user: serverUser, isDryRun: false },
      });
    }
    this.#options.onOutcome({ name: tracked.name, finding: found, wasAvailable });
    if (known !== undefined) return undefined;
    return found.status === 'True' ? recheckMs : Math.min(retryMs * 2 ** (tracked.failures - 1), maxRetryMs);
  }

  /** Undefined when nobody needs to know any more. Our own write of the condition is no reason to call again. */
  async #call(tracked: Tracked, apiService: APIService): Promise<Finding | undefined> {
    const api = remoteApiOf(apiService);
    if (api === undefined) return undefined;
    const about = `${tracked.epoch} ${JSON.stringify(apiService.spec)}`;
    if (tracked.called?.about !== about) {
      const problem = await this.#options.check(api, tracked.gone.signal);
      if (tracked.gone.signal.aborted) return undefined;
      tracked.called = { about, finding: findingOfCall(problem) };
      tracked.failures = problem === undefined ? 0 : tracked.failures + 1;
    }
    return tracked.called.finding;
  }
}

/** What is known of one API service. */
interface Tracked {
  readonly name: string;
  /** Aborts when the API service is gone, or nothing is kept any more. */
  readonly gone: AbortController;
  /** Whether somebody looks at it, and whether it changed meanwhile. */
  state: 'idle' | 'busy' | 'again';
  cancelTimer: () => void;
  /** Calls in a row that failed. */
  failures: number;
  /** What it names. */
  readonly backend: FollowedBackend;
  /** Grows when another call is due, whatever the last one said. */
  epoch: number;
  /** What the last call said, and of what. */
  called: { readonly about: string; readonly finding: Finding } | undefined;
}

/** Asked by a function, since the compiler does not see that others change it. */
const isAgain = ({ state }: Tracked): boolean => state === 'again';
