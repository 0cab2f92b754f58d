import { posix } from 'node:path';
import type { NodeSelector, Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podDirectory } from '../container-config/index.ts';
import type { DiskHost } from '../disks/disk-host.ts';
import { runProgram } from '../host/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import type {
  ContainerSubPaths,
  MountContext,
  MountedVolume,
  PodVolumes,
  VolumeOperation,
  VolumeUsage,
} from './contract.ts';
import { countVolumes } from './count-volumes.ts';
import { type CsiLoader, type CsiSettings, createCsiLoader } from './csi-loader.ts';
import { createDiskLoader, type DiskLoader } from './disk-loader.ts';
import { createFlexLoader, type FlexLoader, type VolumePlugins } from './flex-loader.ts';
import { LocalDevices } from './local-devices.ts';
import { makeVolumes, type ReadyVolume } from './make-volumes.ts';
import type { MountCommands } from './mount-commands.ts';
import { createMountFailures, type VolumeFailure } from './mount-failures.ts';
import type { NodeCheck } from './node-check.ts';
import { createPodQueues } from './pod-queues.ts';
import { listPods, removePod } from './remove-pod.ts';
import { respellMounts } from './respell-mounts.ts';
import { cleanSubPaths, prepareSubPath } from './sub-paths.ts';
import type { VolumeEvent, VolumeNotice } from './volume-error.ts';
import type { VolumeTools } from './volume-tools.ts';
import { measureVolumes } from './volume-usage.ts';

/** Where volumes of pods are made, by what means, and who is notified of results. */
export interface PodVolumesOptions {
  /** Absolute folder that the agent keeps its state in; made when it is missing. */
  readonly rootDirectory: string;
  readonly dialect: Dialect;
  /** Undefined when the agent has no API server. */
  readonly objects: AgentObjects | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mount: MountCommands;
  /** How long a measurement of volumes is good for; 0: they are never measured. */
  readonly usagePeriodMs: number;
  /** Feature `SizeMemoryBackedVolumes`; default false. */
  readonly boundsMemory?: boolean;
  /** Feature `ConfigurableFSGroupPolicy`; default true. */
  readonly hasGroupPolicy?: boolean;
  /** Feature `GenericEphemeralVolume`; default false. */
  readonly hasGenericEphemeral?: boolean;
  /** Features `ExpandPersistentVolumes` and `ExpandInUsePersistentVolumes`; default `never`. */
  readonly growth?: VolumeTools['growth'];
  /** Whether this node is one that a persistent volume asks for; default: every one is. */
  readonly matchesNode?: (selector: NodeSelector) => boolean;
  /** Third-party drivers; default none. */
  readonly plugins?: VolumePlugins | undefined;
  /** Drivers of the container storage interface; default none. */
  readonly csi?: CsiSettings | undefined;
  /** Where disks of storage networks are found, and what runs programs; default those of this machine. */
  readonly disks?: Partial<Pick<DiskHost, 'devFolder' | 'sysFolder' | 'run'>> | undefined;
  /** Of programs that fill volumes; default: none. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Checks whether the node can mount a volume before that is tried; default: no check. */
  readonly checkNode?: NodeCheck | undefined;
  /** A volume of a pod is ready, but not up to date: events to record. Must not throw. */
  readonly onStale: (pod: Pod, events: readonly VolumeEvent[]) => void;
  /** Something else happened to a volume of a pod: an event to record. Must not throw. */
  readonly onEvent?: (pod: Pod, event: VolumeNotice) => void;
  /** Notified of each attempt to make or remove a volume. Must not throw. */
  readonly onOperation: (operation: VolumeOperation) => void;
}

/** What is known of a pod whose volumes were made. */
interface PodEntry {
  readonly volumes: ReadonlyMap<string, ReadyVolume>;
  readonly failed: readonly VolumeFailure[];
  usage: { readonly atMs: number; readonly value: Promise<readonly VolumeUsage[]> } | undefined;
}

/** Volumes of the pods below a root folder. Creating this touches no file. */
export function createPodVolumes(options: PodVolumesOptions): PodVolumes {
  return new Volumes(options);
}

class Volumes implements PodVolumes {
  readonly #options: PodVolumesOptions;
  readonly #rootDirectory: string;
  readonly #mount: MountCommands;
  readonly #flex: FlexLoader;
  readonly #csi: CsiLoader;
  readonly #disks: DiskLoader;
  readonly #localDevices: LocalDevices;
  readonly #tools: VolumeTools;
  readonly #queues = createPodQueues();
  readonly #failures: ReturnType<typeof createMountFailures>;
  readonly #pods = new Map<string, PodEntry>();

  constructor(options: PodVolumesOptions) {
    const { environment = {}, boundsMemory = false, hasGroupPolicy = true, matchesNode = always } = options;
    const { plugins, checkNode, onEvent = () => {}, hasGenericEphemeral = false, growth = 'never' } = options;
    const rootDirectory = posix.resolve(options.rootDirectory);
    const mount = respellMounts(options.mount, rootDirectory);
    this.#options = options;
    this.#rootDirectory = rootDirectory;
    this.#mount = mount;
    this.#flex = createFlexLoader({ ...options, rootDirectory, plugins, mount });
    this.#csi = createCsiLoader({ ...options, rootDirectory, mount });
    const { clock, logger, disks } = options;
    const machine = { devFolder: '/dev', sysFolder: '/sys', run: runProgram };
    this.#disks = createDiskLoader({
      ...options,
      rootDirectory,
      mount,
      host: { ...machine, ...disks, clock, logger },
    });
    const localDevices = new LocalDevices({ ...options, rootDirectory, mount });
    this.#localDevices = localDevices;
    const { flexVolumes } = this.#flex;
    const { csiVolumes } = this.#csi;
    const { diskVolumes } = this.#disks;
    const settings = {
      boundsMemory,
      hasGroupPolicy,
      hasGenericEphemeral,
      growth,
      migratedKinds: options.csi?.migratedKinds ?? [],
      localDevices,
      matchesNode,
      flexVolumes,
      csiVolumes,
      diskVolumes,
      checkNode,
      environment,
      onEvent,
    };
    this.#tools = { ...options, mount, ...settings };
    this.#failures = createMountFailures(options.clock);
  }

  mount(pod: Pod, context: MountContext): Promise<ReadonlyMap<string, MountedVolume>> {
    return this.#queues.run(pod.metadata.uid ?? '', () => this.#mountAll(pod, context));
  }

  prepareSubPaths({ podUid, containerName, subPaths }: ContainerSubPaths): Promise<void> {
    const tools = { mount: this.#mount, logger: this.#options.logger };
    return this.#queues.run(podUid, async () => {
      for (const subPath of subPaths) await prepareSubPath(containerName, subPath, tools);
    });
  }

  cleanSubPaths(podUid: string, containerName: string): Promise<void> {
    const folder = podDirectory(this.#rootDirectory, podUid);
    return this.#queues.run(podUid, () => cleanSubPaths(folder, containerName, this.#mount));
  }

  unmount(podUid: string): Promise<void> {
    return this.#queues.run(podUid, () => this.#unmountAll(podUid));
  }

  podsOnDisk(): Promise<readonly string[]> {
    return listPods(this.#rootDirectory);
  }

  async usage(podUid: string): Promise<readonly VolumeUsage[]> {
    const { clock, logger, usagePeriodMs } = this.#options;
    const pod = this.#pods.get(podUid);
    if (pod === undefined || usagePeriodMs <= 0) return [];
    const nowMs = clock.nowMs();
    if (pod.usage === undefined || nowMs - pod.usage.atMs >= usagePeriodMs) {
      pod.usage = { atMs: nowMs, value: measureVolumes(pod.volumes, { nowMs, logger }) };
    }
    return pod.usage.value;
  }

  counts(): ReturnType<PodVolumes['counts']> {
    return countVolumes(this.#pods.values());
  }

  inUse(): readonly string[] {
    return [...this.#flex.inUse(), ...this.#csi.inUse(), ...this.#disks.inUse()].sort();
  }

  async #mountAll(pod: Pod, context: MountContext): Promise<ReadonlyMap<string, MountedVolume>> {
    const { uid = '' } = pod.metadata;
    const before = this.#pods.get(uid);
    const { made, failed, expected } = await makeVolumes({
      pod,
      context,
      rootDirectory: this.#rootDirectory,
      tools: this.#tools,
      onOperation: this.#options.onOperation,
    });
    const volumes = keepStale(made, failed, before);
    this.#pods.set(uid, { volumes, failed, usage: before?.usage });
    if (failed.length === 0) {
      this.#failures.forget(uid);
      return volumes;
    }
    const error = this.#failures.report(uid, expected, failed);
    if (failed.some(({ volumeName }) => !volumes.has(volumeName))) throw error;
    if (error.events.length > 0) this.#options.onStale(pod, error.events);
    return volumes;
  }

  async #unmountAll(podUid: string): Promise<void> {
    const startedAtMs = this.#options.clock.nowMs();
    this.#failures.forget(podUid);
    try {
      await this.#flex.unmountPod(podUid);
      await this.#csi.unmountPod(podUid);
      await removePod(this.#rootDirectory, podUid, this.#mount);
      await this.#localDevices.release(podUid);
      await this.#disks.release(podUid);
    } catch (error) {
      this.#countUnmounts(podUid, startedAtMs, { isSuccess: false });
      throw error;
    }
    this.#countUnmounts(podUid, startedAtMs, { isSuccess: true });
    this.#pods.delete(podUid);
  }

  #countUnmounts(podUid: string, startedAtMs: number, { isSuccess }: { readonly isSuccess: boolean }): void {
    const durationMs = this.#options.clock.nowMs() - startedAtMs;
    for (const { plugin } of this.#pods.get(podUid)?.volumes.values() ?? []) {
      this.#options.onOperation({ plugin, name: 'volume_unmount', durationMs, isSuccess });
    }
  }
}

const always = (): boolean => true;

/** A volume that was ready before stays mounted with its old contents: running containers use it. */
function keepStale(
  made: ReadonlyMap<string, ReadyVolume>,
  failed: readonly VolumeFailure[],
  before: PodEntry | undefined,
): ReadonlyMap<string, ReadyVolume> {
  const all = new Map(made);
  for (const { volumeName } of failed) {
    const stale = before?.volumes.get(volumeName);
    if (stale !== undefined) all.set(volumeName, stale);
  }
  return all;
}
