import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import {
  type CgroupSettings,
  formatCgroupName,
  minCpuShares,
  podCgroupBounds,
  podCgroupName,
  qosCgroupName,
} from '../container-config/index.ts';
import type { ReservedResources } from '../options/index.ts';
import { AllocatableLimit } from './allocatable-limit.ts';
import type { GroupBounds } from './bound-files.ts';
import { allPodsBounds, qosBounds, reservedBounds } from './bounds.ts';
import { CgroupError } from './cgroup-error.ts';
import { cgroupSettings } from './cgroup-settings.ts';
import { CgroupTree } from './cgroup-tree.ts';
import type { NodeCapacity, PodCgroups, PodCgroupsOptions } from './contract.ts';
import { formatParts } from './format-parts.ts';
import { findHierarchies, hasCgroup } from './hierarchies.ts';
import { isPart, podGroups, podUidOf, qosClasses } from './pod-groups.ts';
import { findSliceUnits, type SliceUnits } from './slice-units.ts';

/** Control groups below `root`, which is read when it is first needed. */
export function createPodCgroups(options: PodCgroupsOptions): PodCgroups {
  return new Groups(options);
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
  /**
   * The latest update of the QoS classes. Updates run one after another, so that the newest list of pods is written
   * last.
   */
  #bounding: Promise<void> = Promise.resolve();
  #allocatable: AllocatableLimit | undefined;
  /** Bytes that all pods may use together; memory reserves of the classes are computed from it. */
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
    await this.#allocatable?.enforce();
    this.#active = new Map(activePods.map((pod) => [pod.metadata.uid ?? '', pod]));
    const bounding = this.#bounding.then(() => this.#boundClasses());
    this.#bounding = bounding.catch(() => undefined); // Its failure is reported to the caller.
    await bounding;
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

  async #boundClasses(): Promise<void> {
    const bounds = qosBounds({
      activePods: [...this.#active.values()],
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

  async #prepareClasses(capacity: NodeCapacity): Promise<void> {
    const { root, config, dialect, events, clock } = this.#options;
    const isNamed = partsOf(config.cgroupRoot).length > 0;
    if (isNamed && !(await hasCgroup(root, config.cgroupRoot))) {
      throw new CgroupError(
        `invalid configuration: cgroup-root ${formatParts(partsOf(config.cgroupRoot))} doesn't exist`,
      );
    }
    const bounds = allPodsBounds(capacity, config);
    this.#allPodsMemoryBytes = bounds.memoryLimitBytes ?? 0;
    const parts = qosCgroupName('Guaranteed', this.#settings, dialect);
    const group = this.#nameOf(parts);
    const tree = await this.#create(group, bounds);
    for (const qosClass of ['Burstable', 'BestEffort'] as const) {
      await this.#makeClass(this.#groupOf(qosClass), { cpuShares: minCpuShares });
    }
    // As in release 1.20, recorded also where pods are not bounded: their group was made.
    this.#allocatable = new AllocatableLimit({
      parts,
      bound: () => tree.bound(group, bounds),
      events,
      clock,
    });
    await this.#allocatable.enforce();
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
    const about = { kind: 'node' } as const;
    const { tree } = await this.#open();
    try {
      if (!(await hasCgroup(root, group)))
        throw new CgroupError(`${formatParts(partsOf(group))} cgroup does not exist`);
      await tree.bound(group, reservedBounds(amounts));
    } catch (cause) {
      const what = `Failed to enforce ${title} Reserved Cgroup Limits on ${JSON.stringify(group)}`;
      const message = dialect.spell(`${what}: ${errorText(cause)}`);
      events.record({ about, type: 'Warning', reason: 'FailedNodeAllocatableEnforcement', message });
      throw new CgroupError(message, { cause });
    }
    const message = dialect.spell(`Updated limits on ${word} reserved cgroup ${group}`);
    events.record({ about, type: 'Normal', reason: 'NodeAllocatableEnforced', message });
  }

  async #make(group: string, bounds: GroupBounds): Promise<void> {
    const tree = await this.#create(group, bounds);
    await tree.bound(group, bounds);
  }

  async #create(group: string, bounds: GroupBounds): Promise<CgroupTree> {
    const { tree, units, version } = await this.#open();
    await units?.start(unitOf(group), bounds, version);
    await tree.create(group);
    return tree;
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

  /** A failure is not remembered: the hierarchies may be mounted later. */
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
    logger.debug('cgroup hierarchies found', { version: hierarchies.version, trees });
    return { tree, version: hierarchies.version, units };
  }
}

/** A slice's unit is the last part of its path. */
const unitOf = (group: string): string => group.slice(group.lastIndexOf('/') + 1);

const partsOf = (group: string): string[] => group.split('/').filter((part) => part !== '');
