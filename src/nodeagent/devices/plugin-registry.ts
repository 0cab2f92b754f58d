import type { Clock, Logger } from '../../base/index.ts';
import type { PluginEndpoint } from './plugin-endpoint.ts';
import type { PluginOptions } from './plugin-messages.ts';
import { noDevices, type ResourceDevices, readDevices, withoutPlugin } from './resource-devices.ts';

/** How long devices of a plugin that has gone are shown as unhealthy before they are forgotten (release 1.20). */
const goneGraceMs = 300_000;

/** A resource with its plugin. */
interface Registered {
  devices: ResourceDevices;
  /** Undefined once it has gone. */
  endpoint: PluginEndpoint | undefined;
  options: PluginOptions | null;
  goneAtMs: number | undefined;
}

/** A device that pods may have. */
export interface AllocatableDevice {
  readonly resource: string;
  readonly id: string;
  /** NUMA nodes that it is near to; none when its plugin says nothing of them. */
  readonly nodes: readonly number[];
}

/** Who is told of devices. */
export interface PluginRegistryOptions {
  /** The devices of a resource are others, or it is gone. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Resources that plugins manage, with the devices that they listed last. */
export class PluginRegistry implements Disposable {
  readonly #options: PluginRegistryOptions;
  readonly #resources = new Map<string, Registered>();
  /** Resources that were forgotten: the node shows that it has none of them. */
  readonly #forgotten = new Set<string>();
  #isClosed = false;

  /** `known`: resources that plugins had before; theirs are shown as none until the plugins come again. */
  constructor(known: Iterable<string>, options: PluginRegistryOptions) {
    this.#options = options;
    const goneAtMs = options.clock.nowMs();
    for (const resource of known) {
      this.#resources.set(resource, { devices: noDevices, endpoint: undefined, options: null, goneAtMs });
    }
  }

  has(resource: string): boolean {
    return this.#resources.has(resource);
  }

  devices(resource: string): ResourceDevices {
    return this.#resources.get(resource)?.devices ?? noDevices;
  }

  endpoint(resource: string): PluginEndpoint | undefined {
    return this.#resources.get(resource)?.endpoint;
  }

  options(resource: string): PluginOptions | null {
    return this.#resources.get(resource)?.options ?? null;
  }

  /** Healthy devices by resource, as the checkpoint has them. */
  healthy(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#resources].map(([name, { devices }]) => [name, [...devices.healthy].sort()]));
  }

  /** Healthy devices of all resources, whether pods have them or not. */
  allocatable(): readonly AllocatableDevice[] {
    return [...this.#resources].flatMap(
      ([
        resource,
        {
          devices: { healthy, nodesOf },
        },
      ]) => [...healthy].sort().map((id) => ({ resource, id, nodes: nodesOf.get(id) ?? [] })),
    );
  }

  /** A plugin has registered: it takes the place of one that was there for the resource. */
  add(endpoint: PluginEndpoint, options: PluginOptions | null): void {
    const { logger } = this.#options;
    const { resource, socketPath } = endpoint;
    const before = this.#resources.get(resource);
    before?.endpoint?.close();
    this.#forgotten.delete(resource);
    this.#resources.set(resource, {
      devices: before?.devices ?? noDevices,
      endpoint,
      options,
      goneAtMs: undefined,
    });
    logger.info('device plugin registered', { resource, socketPath });
    void this.#follow(endpoint);
  }

  /** The plugin at a socket is gone: its devices are unhealthy, unless another one has taken its place. */
  remove(resource: string, socketPath: string): void {
    const endpoint = this.#resources.get(resource)?.endpoint;
    if (endpoint?.socketPath === socketPath) endpoint.close();
  }

  /** How many of each resource the node has, and how many of them pods may have. */
  amounts(): ReadonlyMap<string, { readonly capacity: number; readonly allocatable: number }> {
    const nowMs = this.#options.clock.nowMs();
    for (const [resource, { goneAtMs }] of this.#resources) {
      if (goneAtMs === undefined || nowMs - goneAtMs < goneGraceMs) continue;
      this.#resources.delete(resource);
      this.#forgotten.add(resource);
    }
    const known = [...this.#resources].map(
      ([
        name,
        {
          devices: { healthy, unhealthy },
        },
      ]) => {
        return [name, { capacity: healthy.size + unhealthy.size, allocatable: healthy.size }] as const;
      },
    );
    const none = [...this.#forgotten].map((name) => [name, { capacity: 0, allocatable: 0 }] as const);
    return new Map([...none, ...known]);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const { endpoint } of this.#resources.values()) endpoint?.close();
  }

  async #follow(endpoint: PluginEndpoint): Promise<void> {
    const { logger, clock, onChange } = this.#options;
    const { resource } = endpoint;
    const find = (): Registered | undefined => {
      const known = this.#resources.get(resource);
      return known?.endpoint === endpoint ? known : undefined;
    };
    try {
      await endpoint.follow((listed) => {
        const registered = find();
        if (registered === undefined || this.#isClosed) return;
        registered.devices = readDevices(listed);
        onChange();
      });
    } catch (error) {
      if (find() !== undefined && !this.#isClosed) logger.error('device plugin ended', { resource, error });
    }
    endpoint.close();
    const registered = find();
    if (registered === undefined || this.#isClosed) return;
    logger.info('device plugin is gone', { resource });
    registered.endpoint = undefined;
    registered.goneAtMs = clock.nowMs();
    registered.devices = withoutPlugin(registered.devices);
    onChange();
  }
}
