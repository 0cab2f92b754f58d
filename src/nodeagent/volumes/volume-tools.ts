import type { MigratedKind } from '../../apis/csi-migration/index.ts';
import type { NodeSelector, Pod, Volume } from '../../apis/types/core-v1.ts';
import type { Clock } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { MountContext, MountedVolume } from './contract.ts';
import type { CsiSource } from './csi-source.ts';
import type { DiskSource } from './disk-source.ts';
import type { FlexSource } from './flex-source.ts';
import type { LocalDevices } from './local-devices.ts';
import type { FolderUsage } from './measure-folder.ts';
import type { MountCommands } from './mount-commands.ts';
import type { NodeCheck, NodeNeed } from './node-check.ts';
import type { VolumeNotice } from './volume-error.ts';

/** What all kinds of volumes are made with. */
export interface VolumeTools {
  readonly dialect: Dialect;
  /** Undefined when the agent has no API server. */
  readonly objects: AgentObjects | undefined;
  readonly clock: Clock;
  readonly mount: MountCommands;
  /** Whether volumes in memory are bounded by what their pod may use. */
  readonly boundsMemory: boolean;
  /** Whether a pod may say that ownership is checked at the volume's root only. */
  readonly hasGroupPolicy: boolean;
  /** Whether pods may have claims made for them. */
  readonly hasGenericEphemeral: boolean;
  /** Which volumes grow that are larger than their claims say: none, those that no pod uses yet, or all. */
  readonly growth: 'never' | 'unused' | 'always';
  /** Built-in kinds whose volumes drivers serve. */
  readonly migratedKinds: readonly MigratedKind[];
  /** Whether this node is one of those that a persistent volume may be used on. */
  readonly matchesNode: (selector: NodeSelector) => boolean;
  /** Volumes of third-party drivers; undefined when there are none. Their code is loaded at the first call. */
  readonly flexVolumes: () => Promise<FlexVolumes | undefined>;
  /** Of programs that fill volumes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Undefined: no check; the mount itself fails then. */
  readonly checkNode: NodeCheck | undefined;
  /** Block devices of local volumes. */
  readonly localDevices: LocalDevices;
  /** Volumes of drivers of the container storage interface; undefined without an API server. */
  readonly csiVolumes: () => Promise<CsiVolumes | undefined>;
  /** Disks of storage networks. Their code is loaded at the first call. */
  readonly diskVolumes: () => Promise<DiskVolumes>;
  /** Something happened to a volume of a pod that operators should see. Must not throw. */
  readonly onEvent: (pod: Pod, event: VolumeNotice) => void;
}

/** One volume to make for one pod. */
export interface VolumeJob {
  readonly pod: Pod;
  /** Folder of the pod. */
  readonly podDir: string;
  /** Folder of all pods. */
  readonly podsFolder: string;
  readonly volume: Volume;
  readonly context: MountContext;
  readonly tools: VolumeTools;
}

/** A volume that was made, and how it is measured: by its files, or as a file system; undefined: not at all. */
export interface MadeVolume extends MountedVolume {
  readonly measuredBy?: 'files' | 'file-system' | undefined;
  /** Whoever made it measures it; undefined: it cannot tell. @throws Error */
  readonly measure?: (() => Promise<FolderUsage | undefined>) | undefined;
  readonly claim?: { readonly namespace: string; readonly name: string } | undefined;
}

/** A volume whose kind and source are known. */
export interface FoundVolume {
  /** Its name in messages: that of a persistent volume, or that in the pod. */
  readonly name: string;
  /** Name of its kind, such as `orch.io/configmap`. */
  readonly plugin: string;
  /** A device is given to containers as it is. */
  readonly isDevice?: boolean;
  /** What the node must have to mount it, beside the program `mount`; undefined: nothing is mounted. */
  readonly needs?: readonly NodeNeed[] | undefined;
  /** Makes it, or brings it up to date. @throws Error */
  make(): Promise<MadeVolume>;
}

/** Volumes that third-party drivers mount. */
export interface FlexVolumes {
  /** Undefined when there is no such driver. @throws Error with release 1.20's message when it refuses the volume */
  find(job: VolumeJob, source: FlexSource): Promise<FoundVolume | undefined>;
  /**
   * Has drivers unmount all of a pod's volumes that they have mounted, and lets go of devices that no other pod uses.
   * Mounts of drivers that no longer exist are left to `removePod`.
   *
   * @throws Error when a driver fails: it may be called again then.
   */
  unmountPod(podUid: string): Promise<void>;
}

/** Volumes of drivers of the container storage interface. */
export interface CsiVolumes {
  find(job: VolumeJob, source: CsiSource): FoundVolume;
  /**
   * Has drivers unpublish all that they have published for a pod, and unstage what no other pod uses.
   *
   * @throws Error when a driver fails or is not there: it may be called again then
   */
  unmountPod(podUid: string): Promise<void>;
}

/** Volumes that are disks of storage networks: iSCSI, Fibre Channel, images of Ceph. */
export interface DiskVolumes {
  find(job: VolumeJob, source: DiskSource): FoundVolume;
  /**
   * Unmounts the disks of a pod that has gone, and takes them away, unless others have them too; at the first call also what
   * an earlier process of the agent has left.
   *
   * @throws Error when a disk of the pod cannot be taken away: it may be called again then
   */
  release(podUid: string): Promise<void>;
}

/** Group that volumes of the pod belong to. */
export const groupOf = ({ spec }: Pod): number | undefined => spec.securityContext?.fsGroup ?? undefined;
