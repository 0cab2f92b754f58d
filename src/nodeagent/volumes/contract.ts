import type { Pod } from '../../apis/types/core-v1.ts';
import type { PodVolume, SubPath } from '../container-config/index.ts';

/** What volumes that tell about the pod and its node are filled from. */
export interface MountContext {
  readonly podIps: readonly string[];
  /** Addresses of the node, the first one first. */
  readonly hostIps: readonly string[];
  /** What pods may use on the node. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/** A volume that is ready, and what containers that use it must get beside it. */
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
   * Makes the volumes that containers of the pod use, by their names in it. Idempotent; called again it writes anew what
   * has changed, all files of a volume at once. A volume that was ready before and cannot be brought up to date stays as
   * it is, and `onStale` of the options is told.
   *
   * @throws VolumeError when one is not ready; the others are.
   */
  mount(pod: Pod, context: MountContext): Promise<ReadonlyMap<string, MountedVolume>>;
  /**
   * Makes paths below volumes and mounts each where its container looks for it; links that lead out of a volume are
   * refused. Idempotent.
   *
   * @throws ContainerConfigError with a message that tells nothing of the node.
   */
  prepareSubPaths(container: ContainerSubPaths): Promise<void>;
  /** Ends the mounts of a container's sub-paths; their contents stay. */
  cleanSubPaths(podUid: string, containerName: string): Promise<void>;
  /**
   * Ends all mounts of a pod and removes all that the agent keeps of it, the contents of its own volumes too; what
   * belongs to the node or to persistent volumes stays. Safe on what is half made or gone.
   *
   * @throws Error when a mount cannot be ended: nothing is removed then, and it may be called again.
   */
  unmount(podUid: string): Promise<void>;
  /** Uids of pods that something is left of on this node. */
  podsOnDisk(): Promise<readonly string[]>;
  /** What the volumes of a mounted pod take; measured again only when older than the period of the options. */
  usage(podUid: string): Promise<readonly VolumeUsage[]>;
  /** Volumes of the mounted pods by kind. */
  counts(): readonly VolumeCount[];
  /** Names of attached volumes that must not be detached, as the node's status has them. */
  inUse(): readonly string[];
}
