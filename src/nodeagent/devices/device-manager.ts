import { basename, join } from 'node:path';
import type { Container, Pod } from '../../apis/types/core-v1.ts';
import { isExtendedResource } from '../../apis/validation/index.ts';
import { type Clock, errorText, type Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { DeviceAdditions } from '../container-config/index.ts';
import { type CpuHold, containersOf } from '../cpu-manager/index.ts';
import type { PluginHandler } from '../plugin-registration/index.ts';
import { type DeviceCheckpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { DeviceError } from './choose-devices.ts';
import { DeviceRequests, type HintList } from './device-requests.ts';
import { additionsOf, HeldTable } from './held-devices.ts';
import { PluginEndpoint, PluginError } from './plugin-endpoint.ts';
import { pluginVersion } from './plugin-messages.ts';
import { PluginRegistry } from './plugin-registry.ts';
import { type DeviceAlignment, PodAllocator } from './pod-allocator.ts';
import { startRegistrationServer } from './registration-server.ts';

/** Who is told how plugins fare. */
export interface DeviceCounts {
  /** A plugin asks to be registered, whatever comes of it. */
  asked(resource: string): void;
  /** A plugin has made devices ready, or not. */
  allocated(resource: string, durationMs: number): void;
}

/** What devices are given out by. */
export interface DeviceManagerOptions {
  /** The agent's root folder; sockets and the checkpoint are below it. */
  readonly rootDir: string;
  readonly alignment: DeviceAlignment;
  /** `desired` for as long as nobody knows. */
  readonly holdOf: (podUid: string, container: string) => CpuHold;
  /** Those of CPUs, for a container or a whole pod; undefined when nobody has CPUs to itself. */
  readonly cpuHints: ((pod: Pod, container?: Container) => HintList) | undefined;
  /** The amounts that the node has are others. */
  readonly onChange: () => void;
  readonly counts: DeviceCounts;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Why a pod cannot be run. */
export interface DeviceRefusal {
  readonly reason: string;
  readonly message: string;
}

const misaligned: DeviceRefusal = {
  reason: 'TopologyAffinityError',
  message: 'Resources cannot be allocated with Topology locality',
};

/**
 * Gives devices of plugins to containers, keeps on disk who has which, and tells what the node has. A pod is asked for
 * before it is judged (`prepare`); its devices are its own until nothing of it runs any more.
 */
export class DeviceManager implements AsyncDisposable {
  readonly #options: DeviceManagerOptions;
  readonly #path: string;
  readonly #held: HeldTable;
  readonly #plugins: PluginRegistry;
  readonly #requests: DeviceRequests;
  readonly #allocator: PodAllocator;
  readonly #refusals = new Map<string, DeviceRefusal>();
  /** Whether plugins have been there before: what the node shows of devices is theirs then. */
  readonly hasCheckpoint: boolean;
  #server: AsyncDisposable | undefined;
  /** Pods take turns: what one gets, another cannot have. */
  #turn: Promise<void> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();

  private constructor(found: DeviceCheckpoint | undefined, path: string, options: DeviceManagerOptions) {
    const { clock, logger } = options;
    this.#options = options;
    this.#path = path;
    this.hasCheckpoint = found !== undefined;
    this.#held = new HeldTable(found?.held ?? []);
    this.#plugins = new PluginRegistry(found?.registered.keys() ?? [], {
      onChange: () => this.#onDevices(),
      clock,
      logger,
    });
    const { alignment, cpuHints, counts } = options;
    this.#requests = new DeviceRequests(this.#plugins, this.#held, alignment.nodes);
    this.#allocator = new PodAllocator({
      alignment,
      cpuHints,
      plugins: this.#plugins,
      held: this.#held,
      requests: this.#requests,
      onAnswer: (resource, durationMs) => counts.allocated(resource, durationMs),
      onHeld: () => this.#save(),
      clock,
    });
  }

  /** Goes on with what an agent before has left. Never rejects. */
  static async open(options: DeviceManagerOptions): Promise<DeviceManager> {
    const { rootDir, dialect, logger } = options;
    const path = join(rootDir, 'device-plugins', dialect.spell('nodeagent_internal_checkpoint'));
    const found = await readCheckpoint(path).catch((error: unknown) => {
      logger.error('device checkpoint not readable, allocations before are not known', { path, error });
      return undefined;
    });
    return new DeviceManager(found, path, options);
  }

  /** Listens for plugins until it is disposed of. @throws Error when the socket cannot be made */
  async listen(): Promise<void> {
    const { rootDir, dialect, counts } = this.#options;
    const folder = join(rootDir, 'device-plugins');
    this.#server = await startRegistrationServer({
      folder,
      socketName: `${dialect.spell('nodeagent')}.sock`,
      keeps: [basename(this.#path)],
      onRequest: (resource) => counts.asked(resource),
      onRegister: ({ endpoint, resource_name: resource, options }) =>
        this.#plugins.add(new PluginEndpoint(join(folder, endpoint), resource), options),
      dialect,
    });
  }

  /** Takes plugins that put their sockets where those of all kinds are, and names them by their resources. */
  get pluginHandler(): PluginHandler {
    const { dialect } = this.#options;
    return {
      async validate({ name, versions }) {
        if (!versions.includes(pluginVersion)) {
          throw new Error(
            `manager version, ${pluginVersion}, is not among plugin supported versions ${versions.join(', ')}`,
          );
        }
        if (!isExtendedResource(name, dialect))
          throw new Error(`invalid name of device plugin socket: ${name}`);
      },
      register: async ({ name, endpoint: socketPath }) => {
        const endpoint = new PluginEndpoint(socketPath, name);
        try {
          this.#plugins.add(endpoint, await endpoint.readOptions());
        } catch (error) {
          endpoint.close();
          throw error;
        }
      },
      unregister: async ({ name, endpoint }) => this.#plugins.remove(name, endpoint),
    };
  }

  /** Gives a pod its devices before it is judged; undefined when it asks for none. Never rejects. */
  prepare(pod: Pod): Promise<void> | undefined {
    if (!containersOf(pod).some((container) => this.#requests.of(container).length > 0)) return undefined;
    this.#turn = this.#turn.then(() => this.#allocatePod(pod));
    return this.#turn;
  }

  /** Why a pod that was prepared cannot have its devices. */
  refusalOf({ metadata }: Pod): DeviceRefusal | undefined {
    return this.#refusals.get(metadata.uid ?? '');
  }

  /** Hints of all resources that a container, or a whole pod, asks for. */
  hints(pod: Pod, container?: Container): readonly HintList[] {
    return container === undefined
      ? this.#requests.ofPod(pod)
      : this.#requests
          .of(container)
          .map(([resource, count]) =>
            this.#requests.ofContainer(pod, container, { resource, count, reusable: new Set() }),
          );
  }

  /** What the container is to be made with. @throws Error when its plugin does not agree, or it has no devices */
  async additionsFor(pod: Pod, container: Container): Promise<DeviceAdditions | undefined> {
    const requests = this.#requests.of(container);
    if (requests.length === 0) return undefined;
    const podUid = pod.metadata.uid ?? '';
    const isMissing = (): boolean =>
      requests.some(([name]) => this.#held.ids(podUid, container.name, name) === undefined);
    // The plugin has come after the pod was judged.
    if (isMissing()) await this.prepare(pod);
    const refusal = this.refusalOf(pod);
    if (isMissing() && refusal !== undefined) throw new DeviceError(refusal.message);
    for (const [resource] of requests) {
      const ids = this.#held.ids(podUid, container.name, resource);
      if (ids === undefined || this.#plugins.options(resource)?.pre_start_required !== true) continue;
      await this.#plugins.endpoint(resource)?.preStart([...ids]);
    }
    await this.#writing;
    return additionsOf(this.#held.of(podUid, container.name));
  }

  /** Devices of a container, by resource and NUMA node. */
  devicesOf(podUid: string, container: string) {
    return this.#held.of(podUid, container);
  }

  /** How many of each resource the node has, and how many of them pods may have. */
  amounts(): ReturnType<PluginRegistry['amounts']> {
    return this.#plugins.amounts();
  }

  /** The healthy devices, whether pods have them or not. */
  allocatable(): ReturnType<PluginRegistry['allocatable']> {
    return this.#plugins.allocatable();
  }

  /** What pods may have, of which at least what they have been given: their devices may be unhealthy now. */
  raise(allocatable: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const raised = [...new Set(this.#held.entries.map(({ resource }) => resource))].flatMap((resource) => {
      const count = this.#held.inUse(resource).size;
      return Number(allocatable[resource] ?? 0) >= count ? [] : [[resource, String(count)]];
    });
    return raised.length === 0 ? allocatable : { ...allocatable, ...Object.fromEntries(raised) };
  }

  /** Takes back what containers have that are gone. */
  release(): void {
    const { holdOf } = this.#options;
    for (const uid of this.#refusals.keys()) {
      if (holdOf(uid, '') === 'gone') this.#refusals.delete(uid);
    }
    if (this.#held.release((uid, name) => holdOf(uid, name) !== 'gone')) this.#save();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#plugins[Symbol.dispose]();
    await this.#server?.[Symbol.asyncDispose]();
    await this.#writing;
  }

  #onDevices(): void {
    this.#save();
    this.#options.onChange();
  }

  /** Writes what holds now, one writing after the other. */
  #save(): void {
    const { logger } = this.#options;
    this.#writing = this.#writing
      .then(() =>
        writeCheckpoint(this.#path, { held: this.#held.entries, registered: this.#plugins.healthy() }),
      )
      .catch((error: unknown) => logger.error('device checkpoint write failed', { error }));
  }

  async #allocatePod(pod: Pod): Promise<void> {
    const podUid = pod.metadata.uid ?? '';
    this.#refusals.delete(podUid);
    this.release();
    try {
      const isAligned = await this.#allocator.allocate(pod).catch((error: unknown) => {
        if (!(error instanceof DeviceError) || !this.#takeFromEnding(podUid)) throw error;
        return this.#allocator.allocate(pod);
      });
      if (!isAligned) this.#refusals.set(podUid, misaligned);
    } catch (error) {
      const isKnown = error instanceof DeviceError || error instanceof PluginError;
      if (!isKnown) this.#options.logger.error('device allocation failed', { podUid, error });
      const message = `Allocate failed due to ${errorText(error)}, which is unexpected`;
      this.#refusals.set(podUid, { reason: 'UnexpectedAdmissionError', message });
    }
  }

  /** Pods that are ending yield theirs where another one does not fit otherwise; true when there was something. */
  #takeFromEnding(podUid: string): boolean {
    const { holdOf } = this.#options;
    return this.#held.release((uid, name) => uid === podUid || holdOf(uid, name) === 'desired');
  }
}
