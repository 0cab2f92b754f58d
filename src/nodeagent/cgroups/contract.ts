import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentConfig } from '../options/index.ts';
import type { SliceUnits } from './slice-units.ts';

/** Capacity of the node in resources that control groups can bound. */
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
   * `enforceNodeAllocatable` says. Idempotent. Records `NodeAllocatableEnforced`, or that it failed: pods may have more than
   * they may have now, and it is tried again with `updateQos`.
   *
   * @throws CgroupError when the root or a reserved group does not exist, or the kernel refuses anything else
   */
  prepareNode(capacity: NodeCapacity): Promise<void>;
  /**
   * Makes the pod's group with its bounds, and updates the CPU shares of its QoS class; does nothing when this process
   * has made it before.
   *
   * @throws CgroupError
   */
  ensurePod(pod: Pod): Promise<void>;
  /**
   * Sets CPU shares and memory reserves of the QoS classes by the requests of the active pods. Call it every minute.
   *
   * @throws CgroupError
   */
  updateQos(activePods: readonly Pod[]): Promise<void>;
  /**
   * Kills all processes of the pod's group, and removes it in all hierarchies. Does nothing when there is none.
   *
   * @throws CgroupError when the kernel keeps the group busy
   */
  removePod(podUid: string): Promise<void>;
  /** Uids of pods that have a group in any class and hierarchy. */
  podsPresent(): Promise<readonly string[]>;
}

/** The mounted hierarchies, the settings of the control groups, and where failures are reported. */
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
