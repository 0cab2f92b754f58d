import type { Pod } from '../../apis/types/core-v1.ts';
import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';

/** What the node has as far as control groups can bound it. */
export interface NodeCapacity {
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  /** Processes; not bounded when left out. */
  readonly pids?: number | undefined;
  /** Bytes by size of page, such as `2MB`. */
  readonly hugepages?: ReadonlyMap<string, number> | undefined;
}

/** The control groups of pods, below one per QoS class, below one of all pods. */
export interface PodCgroups {
  /**
   * Makes the groups of all pods and of the QoS classes, and bounds them and the reserved groups as
   * `enforceNodeAllocatable` says. Idempotent. Records `NodeAllocatableEnforced`.
   *
   * @throws CgroupError when the root or a reserved group does not exist, or the kernel refuses
   */
  prepareNode(capacity: NodeCapacity): Promise<void>;
  /** Makes the pod's group with its bounds; changes nothing where it exists. @throws CgroupError */
  ensurePod(pod: Pod): Promise<void>;
  /** Weighs the classes by the pods that are active. Call when pods came or went, and every minute. @throws CgroupError */
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

/** The part of an event recorder that control groups need. */
export interface NodeEvents {
  record(event: {
    readonly about: { readonly kind: 'node' };
    readonly type: 'Normal' | 'Warning';
    readonly reason: string;
    readonly message: string;
  }): void;
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
  readonly events: NodeEvents;
  readonly logger: Logger;
}

/** Control groups below `root`, which is looked at when it is first needed. */
export declare function createPodCgroups(options: PodCgroupsOptions): PodCgroups;
