import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import {
  type CgroupSettings,
  formatCgroupName,
  minCpuShares,
  podCgroupBounds,
  podCgroupName,
  qosCgroupName,
} from '../container-config/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentConfig, ReservedResources } from '../options/index.ts';
import type { GroupBounds } from './bound-files.ts';
import { CgroupError } from './cgroup-error.ts';
import { CgroupTree } from './cgroup-tree.ts';
import { findHierarchies, hasCgroup } from './hierarchies.ts';
import { allPodsBounds, reservedBounds } from './node-bounds.ts';
import { isPart, podGroups, podUidOf, qosClasses } from './pod-groups.ts';
import { qosBounds } from './qos-bounds.ts';
import { findSliceUnits, type SliceUnits } from './slice-units.ts';

/** What the node has as far as control groups can bound it. */
export interface NodeCapacity {
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  /** Processes; not bounded when left out. */
  readonly pids?: number | undefined;
  /** Bytes by size of page, such as `2MB`. */
  readonly hugepages?: ReadonlyMap<string, number> | undefined;
}

/**
 * The control groups of pods, below one per QoS class, below one of all pods. Without `cgroupsPerQos` there are none,
 * and all but `prepareNode` do nothing.
 */
export interface PodCgroups {
  /**
   * Makes the groups of all pods and of the QoS classes, and bounds them and the reserved groups as
   * `enforceNodeAllocatable` says. Idempotent. Records `NodeAllocatableEnforced`.
   *
   * @throws CgroupError when the root or a reserved group does not exist, or the kernel refuses
   */
  prepareNode(capacity: NodeCapacity): Promise<void>;
  /**
   * Makes the pod's group with its bounds, and weighs its class with it; changes nothing where this program made it
   * before.
   *
   * @throws CgroupError
   */
  ensurePod(pod: Pod): Promise<void>;
  /**
   * Weighs the classes by the pods that are active, and by those that come later. Call it every minute.
   *
   * @throws CgroupError
   */
  updateQos(activePods: readonly Pod[]): Promise<void>;
  /** Lets what is left of a pod that must end have next to no CPU. Does nothing when there is no group. @throws CgroupError */
  throttlePod(podUid: string): Promise<void>;
  /**
   * Kills what is left in the pod's group and those in it, and removes them in all hierarchies. Does nothing when there
   * is none.
   *
   * @throws CgroupError when the kernel keeps them busy
   */
  removePod(podUid: string): Promise<void>;
  /** Uids of pods that have a group in any class and hierarchy. */
  podsPresent(): Promise<readonly string[]>;
}

export interface PodCgroupsOptions {
  /** Where control groups are mounted: `/sys/fs/cgroup`. */
  readonly root: string;
  readonly config: Pick<
    AgentConfig,
    | 'cgroupDriver'
    | 'cgroupRoot'
    | 'cgroupsPerQos'
    | 'cpuCfsQuota'
    | 'cpuCfsQuotaPeriodMs'
    | 'enforceNodeAllocatable'
    | 'orchReservedCgroup'
    | 'orchReservedResources'
    | 'podMaxPids'
    | 'qosReservedMemoryPercent'
    | 'reservedCpuIds'
    | 'systemReservedCgroup'
    | 'systemReservedResources'
  >;
  readonly dialect: Dialect;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Slices of systemd, for its driver; those of the machine when left out. */
  readonly sliceUnits?: SliceUnits;
  /** Removes an empty group; `rmdir` when left out. */
  readonly removeFolder?: (path: string) => Promise<void>;
}

/** Control groups below `root`, which is looked at when it is first needed. */
export function createPodCgroups(options: PodCgroupsOptions): PodCgroups {
  return new Groups(options);
}

/** What configurations of containers need to know of control groups. */
export function cgroupSettings({
  cgroupDriver,
  cgroupRoot,
  cgroupsPerQos,
}: Pick<AgentConfig, 'cgroupDriver' | 'cgroupRoot' | 'cgroupsPerQos'>): CgroupSettings {
  return {
    driver: cgroupDriver === 'systemd' ? 'systemd' : 'cgroupfs',
    root: cgroupRoot,
    isPerQos: cgroupsPerQos,
  };
}

interface Opened {
  readonly tree: CgroupTree;
  readonly version: 1 | 2;
  readonly units: SliceUnits | undefined;
}

class Groups implements PodCgroups {
  readonly #options: PodCgroupsOptions;
  readonly #settings: CgroupSettings;
  #opening: Promise<Opened> | undefined;
  /** Groups that this program has made and bounded. */
  readonly #made = new Set<string>();
  /** Pods that the classes are weighed by. */
  #active: ReadonlyMap<string, Pod> = new Map();
  /** Bytes that all pods may use together; what the classes are bounded within. */
  #allPodsMemoryBytes = 0;

  constructor(options: PodCgroupsOptions) {
    this.#options = options;
    this.#settings = cgroupSettings(options.config);
  }

  async prepareNode(capacity: NodeCapacity): Promise<void> {
    const { config } = this.#options;
    if (this.#settings.isPerQos) await this.#prepareClasses(capacity);
    const reserved = [
      { level: 'system-reserved', title: 'System', word: 'system', group: config.systemReservedCgroup },
      { level: 'orch-reserved', title: 'Orch', word: 'orch', group: config.orchReservedCgroup },
    ] as const;
    for (const { level, group, ...names } of reserved) {
      if (!config.enforceNodeAllocatable.includes(level)) continue;
      const isSystem = level === 'system-reserved';
      const amounts = isSystem ? config.systemReservedResources : config.orchReservedResources;
      await this.#enforceReserved(group, amounts, names);
    }
  }

  async ensurePod(pod: Pod): Promise<void> {
    if (!this.#settings.isPerQos) return;
    const { config, dialect } = this.#options;
    const uid = pod.metadata.uid ?? '';
    if (!isPart(uid))
      throw new CgroupError(`control groups: no group can be named after pod ${JSON.stringify(uid)}`);
    const parts = podCgroupName(pod, this.#settings, dialect);
    const { tree } = await this.#open();
    const group = this.#nameOf(parts);
    if (this.#made.has(group) && (await tree.exists(group))) return;
    const bounds = podCgroupBounds(pod, {
      cpuBounding: {
        isEnforced: config.cpuCfsQuota,
        periodUs: Math.round(config.cpuCfsQuotaPeriodMs * 1000),
      },
      podPidsLimit: config.podMaxPids,
    });
    await this.#make(group, bounds);
    this.#made.add(group);
    if (!this.#active.has(uid)) await this.updateQos([...this.#active.values(), pod]);
  }

  async updateQos(activePods: readonly Pod[]): Promise<void> {
    if (!this.#settings.isPerQos) return;
    this.#active = new Map(activePods.map((pod) => [pod.metadata.uid ?? '', pod]));
    const bounds = qosBounds({
      activePods,
      reservedMemoryPercent: this.#options.config.qosReservedMemoryPercent,
      memoryBytes: this.#allPodsMemoryBytes,
    });
    const { tree } = await this.#open();
    for (const qosClass of ['Burstable', 'BestEffort'] as const) {
      const group = this.#groupOf(qosClass);
      if (await tree.exists(group)) await tree.bound(group, bounds[qosClass]);
      else await this.#makeClass(group, bounds[qosClass]);
    }
  }

  async throttlePod(podUid: string): Promise<void> {
    const { tree } = await this.#open();
    for (const group of this.#podGroups(podUid)) {
      if (await tree.exists(group)) await tree.bound(group, { cpuShares: minCpuShares });
    }
  }

  async removePod(podUid: string): Promise<void> {
    const { tree, units } = await this.#open();
    for (const group of this.#podGroups(podUid)) {
      this.#made.delete(group);
      const wasThere = await tree.remove(group);
      if (wasThere) await units?.stop(unitOf(group));
    }
  }

  async podsPresent(): Promise<readonly string[]> {
    if (!this.#settings.isPerQos) return [];
    const { tree } = await this.#open();
    const found = await Promise.all(
      qosClasses.map(async (qosClass) => {
        const parts = qosCgroupName(qosClass, this.#settings, this.#options.dialect);
        const folders = await tree.children(this.#nameOf(parts));
        return [...folders].flatMap((folder) => podUidOf(folder, parts, this.#settings) ?? []);
      }),
    );
    return [...new Set(found.flat())];
  }

  async #prepareClasses(capacity: NodeCapacity): Promise<void> {
    const { root, config, events } = this.#options;
    const isNamed = config.cgroupRoot.split('/').some((part) => part !== '');
    if (isNamed && !(await hasCgroup(root, config.cgroupRoot))) {
      throw new CgroupError(
        `invalid configuration: cgroup-root ${formatParts(config.cgroupRoot)} doesn't exist`,
      );
    }
    const bounds = allPodsBounds(capacity, config);
    this.#allPodsMemoryBytes = bounds.memoryLimitBytes ?? 0;
    await this.#make(this.#groupOf('Guaranteed'), bounds);
    for (const qosClass of ['Burstable', 'BestEffort'] as const) {
      await this.#makeClass(this.#groupOf(qosClass), { cpuShares: minCpuShares });
    }
    if (!config.enforceNodeAllocatable.includes('pods')) return;
    const message = 'Updated Node Allocatable limit across pods';
    events.record({ about: { kind: 'node' }, type: 'Normal', reason: 'NodeAllocatableEnforced', message });
  }

  async #makeClass(group: string, bounds: GroupBounds): Promise<void> {
    await this.#make(group, bounds);
    const { tree } = await this.#open();
    await tree.freeHugepages(group);
  }

  async #enforceReserved(
    group: string,
    amounts: ReservedResources,
    { title, word }: { readonly title: string; readonly word: string },
  ): Promise<void> {
    const { root, dialect, events } = this.#options;
    const { tree } = await this.#open();
    if (!(await hasCgroup(root, group))) {
      const text = `Failed to enforce ${title} Reserved Cgroup Limits on ${JSON.stringify(group)}: ${formatParts(group)} cgroup does not exist`;
      throw new CgroupError(dialect.spell(text));
    }
    await tree.bound(group, reservedBounds(amounts));
    const message = dialect.spell(`Updated limits on ${word} reserved cgroup ${group}`);
    events.record({ about: { kind: 'node' }, type: 'Normal', reason: 'NodeAllocatableEnforced', message });
  }

  async #make(group: string, bounds: GroupBounds): Promise<void> {
    const { tree, units, version } = await this.#open();
    await units?.start(unitOf(group), bounds, version);
    await tree.create(group);
    await tree.bound(group, bounds);
  }

  #podGroups(podUid: string): readonly string[] {
    if (!this.#settings.isPerQos) return [];
    return podGroups(podUid, this.#settings, this.#options.dialect) ?? [];
  }

  #groupOf(qosClass: (typeof qosClasses)[number]): string {
    return this.#nameOf(qosCgroupName(qosClass, this.#settings, this.#options.dialect));
  }

  #nameOf(parts: readonly string[]): string {
    return formatCgroupName(parts, this.#settings.driver);
  }

  /** A failure is not kept: the mount may come later. */
  #open(): Promise<Opened> {
    this.#opening ??= this.#openNow().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #openNow(): Promise<Opened> {
    const { root, clock, logger, sliceUnits, removeFolder } = this.#options;
    const hierarchies = await findHierarchies(root);
    const tree = new CgroupTree(hierarchies, { clock, ...(removeFolder && { removeFolder }) });
    const units = this.#settings.driver === 'systemd' ? (sliceUnits ?? (await findSliceUnits())) : undefined;
    const trees = hierarchies.all.map(({ path }) => path);
    logger.debug('control groups found', { version: hierarchies.version, trees });
    return { tree, version: hierarchies.version, units };
  }
}

/** A slice's unit is the last part of its path. */
const unitOf = (group: string): string => group.slice(group.lastIndexOf('/') + 1);

/** A group as the reference's messages show it. */
function formatParts(group: string): string {
  const parts = group.split('/').filter((part) => part !== '');
  return `[${parts.map((part) => JSON.stringify(part)).join(' ')}]`;
}
