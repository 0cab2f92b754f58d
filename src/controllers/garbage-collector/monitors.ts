import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { createWorkQueue, type WorkQueue } from '../../client/work-queue/index.ts';
import type { ControllerContext } from '../controller.ts';
import type { DependencyGraph } from './graph.ts';
import { Monitor } from './monitor.ts';
import { kindKey, mapKinds, planMonitors, resourceKey } from './resource-map.ts';

export interface MonitorsOptions {
  readonly context: ControllerContext;
  readonly graph: DependencyGraph;
  /** Some resource is not in the graph yet: decisions would be made in the dark. */
  readonly onIncomplete: () => void;
  /** Every followed resource is in the graph. */
  readonly onComplete: () => void;
}

/** Discovery is read again so often even when nothing tells of a change. */
const resyncMs = 5 * 60_000;
/** Several definitions often change together. */
const changeDelayMs = 200;
const retryMs = 1000;
/** A resource that cannot be listed for so long must not stop the collection of all others. */
const maxSyncMs = 30_000;
/** Changes of these tell that other resources may have come or gone. */
const definitions = new Set(['customresourcedefinitions', 'apiservices']);

/** One monitor for each resource that the server serves, whatever comes and goes. */
export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #monitors = new Map<
    string,
    { readonly monitor: Monitor; readonly resource: DiscoveredResource }
  >();
  #kinds: ReadonlyMap<string, DiscoveredResource> = new Map();
  #cancelSyncLimit: (() => void) | undefined;
  /** Its one key stands for discovery. */
  readonly #queue: WorkQueue<'discovery'>;

  constructor(options: MonitorsOptions) {
    this.#options = options;
    const { clock, signal, logger } = options.context;
    this.#queue = createWorkQueue({
      work: () => this.#sync(),
      firstRetryMs: retryMs,
      maxRetryMs: retryMs,
      clock,
      signal,
      onError: (error) => logger.error('discovery failed', { error }),
    });
  }

  /** The resource of a kind, as of the last discovery. */
  map(apiVersion: string, kind: string): DiscoveredResource | undefined {
    return this.#kinds.get(kindKey(apiVersion, kind));
  }

  /** Follows discovery until the signal of the context aborts. */
  async run(): Promise<void> {
    this.#queue.add('discovery');
    await this.#queue.done;
    this.#cancelSyncLimit?.();
    await Promise.all([...this.#monitors.values()].map(({ monitor }) => monitor.ended()));
  }

  async #sync(): Promise<void> {
    const { context } = this.#options;
    const discovery = await context.discovery.read(context.clock.nowMs());
    this.#kinds = mapKinds(discovery);
    const current = new Map([...this.#monitors].map(([key, { resource }]) => [key, resource]));
    const { start, stop } = planMonitors(current, discovery);
    for (const key of stop) {
      const entry = this.#monitors.get(key);
      this.#monitors.delete(key);
      await entry?.monitor.stop();
    }
    if (start.length > 0) {
      this.#options.onIncomplete();
      this.#limitSync();
      for (const resource of start) this.#start(resource);
    } else this.#checkComplete();
    this.#queue.addAfter('discovery', resyncMs);
  }

  #start(resource: DiscoveredResource): void {
    const { context, graph } = this.#options;
    const isDefinition = definitions.has(resource.name);
    const monitor = new Monitor({
      context,
      graph,
      resource,
      onSynced: () => this.#checkComplete(),
      onChange: () => {
        if (isDefinition) this.#queue.addAfter('discovery', changeDelayMs);
      },
    });
    this.#monitors.set(resourceKey(resource), { monitor, resource });
  }

  #checkComplete(): void {
    if ([...this.#monitors.values()].some(({ monitor }) => !monitor.isSynced)) return;
    this.#cancelSyncLimit?.();
    this.#options.onComplete();
  }

  #limitSync(): void {
    const { clock, logger } = this.#options.context;
    this.#cancelSyncLimit?.();
    this.#cancelSyncLimit = clock.setTimer(maxSyncMs, () => {
      const missing = [...this.#monitors].filter(([, { monitor }]) => !monitor.isSynced).map(([key]) => key);
      logger.error('garbage collector monitors incomplete', { missing });
      this.#options.onComplete();
    });
  }
}
