import type { Pod } from '../../apis/types/core-v1.ts';
import type { PodVolume, SubPath } from '../container-config/index.ts';

/**
 * Facts about a pod and its node that volumes with their own description (`downwardAPI`, `projected`) are filled from.
 */
export interface MountContext {
  readonly podIps: readonly string[];
  /** Addresses of the node, the first one first. */
  readonly hostIps: readonly string[];
  /** What pods may use on the node. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/** A volume that is ready, and what containers that use it must be given with it. */
export interface MountedVolume extends PodVolume {
  /** Further group of every container of the pod, as the persistent volume says. */
  readonly groupId?: number | undefined;
}

/** What one volume takes of its file system. */
export interface VolumeUsage {
  readonly name: string;
  readonly usedBytes: number;
  readonly inodesUsed: number;
  /** Of the file system that holds it. */
  readonly availableBytes: number;
  readonly capacityBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
  /** When this was measured, since the Unix epoch. */
  readonly atMs: number;
  /** Claim that the volume belongs to. */
  readonly claim?: { readonly namespace: string; readonly name: string } | undefined;
}

/** Sub-paths of one container. */
export interface ContainerSubPaths {
  readonly podUid: string;
  readonly containerName: string;
  readonly subPaths: readonly SubPath[];
}

/** How many volumes of one kind pods use, and how many of those are ready. */
export interface VolumeCount {
  /** Name of the kind, such as `orch.io/configmap`. */
  readonly plugin: string;
  readonly desired: number;
  readonly actual: number;
}

/** One thing that was done to a volume. */
export interface VolumeOperation {
  /** Name of the kind, such as `orch.io/configmap`. */
  readonly plugin: string;
  readonly name: 'volume_mount' | 'volume_unmount';
  readonly durationMs: number;
  readonly isSuccess: boolean;
}

/** The volumes of the pods of this node. Calls for one pod run one after another, for several side by side. */
export interface PodVolumes {
  /**
   * Makes the volumes that containers of the pod use; the result is by the volumes' names in the pod. Idempotent: a
   * further call rewrites what has changed, all files of a volume at once. A volume that was ready before and cannot be
   * updated stays as it is, and `onStale` of the options is called.
   *
   * @throws VolumeError when at least one volume is not ready; the others are made nevertheless
   */
  mount(pod: Pod, context: MountContext): Promise<ReadonlyMap<string, MountedVolume>>;
  /**
   * Creates sub-paths in volumes, and mounts each of them at the path that the container's configuration names. Links
   * that lead out of a volume are refused. Idempotent.
   *
   * @throws ContainerConfigError whose message reveals nothing of the node
   */
  prepareSubPaths(container: ContainerSubPaths): Promise<void>;
  /** Ends the mounts of a container's sub-paths; their contents stay. */
  cleanSubPaths(podUid: string, containerName: string): Promise<void>;
  /**
   * Unmounts everything of a pod, and removes all files that the agent keeps for it, contents of its own volumes
   * included. What belongs to the node or to persistent volumes stays. Also safe where volumes are incomplete or gone.
   *
   * @throws Error when something cannot be unmounted: nothing is removed then, and it may be called again
   */
  unmount(podUid: string): Promise<void>;
  /** Uids of pods that have files on this node. */
  podsOnDisk(): Promise<readonly string[]>;
  /**
   * Disk usage of the volumes of a mounted pod; measured again only when the last result is older than `usagePeriodMs`.
   */
  usage(podUid: string): Promise<readonly VolumeUsage[]>;
  /** Volumes of the mounted pods by kind. */
  counts(): readonly VolumeCount[];
  /** Names of attached volumes that must not be detached, as the node's status has them. */
  inUse(): readonly string[];
}
