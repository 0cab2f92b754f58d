import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentObjects } from '../objects/index.ts';
import { createVolumeDrivers, type VolumeDriver, type VolumeDrivers } from '../volume-plugins/index.ts';
import { type Attacher, createFlexDevices, type FlexDevices } from './flex-devices.ts';
import { findFlexVolume } from './flex-mount.ts';
import type { FlexSource } from './flex-source.ts';
import { unmountFlexVolumes } from './flex-unmount.ts';
import type { MountCommands } from './mount-commands.ts';
import { createPodQueues, type PodQueues } from './pod-queues.ts';
import type { FoundVolume, VolumeJob } from './volume-tools.ts';

export interface FlexVolumesOptions {
  /** Root folder of the agent. */
  readonly rootDirectory: string;
  /** Folder of the drivers. */
  readonly pluginFolder: string;
  readonly attacher: Attacher;
  /** Names of the volumes that the node's status shows as in use; kept up to date. */
  readonly used: Set<string>;
  readonly dialect: Dialect;
  readonly objects: AgentObjects | undefined;
  readonly mount: MountCommands;
  readonly logger: Logger;
}

/** Volumes that third-party drivers mount. */
export interface FlexVolumes {
  /** Undefined when there is no such driver. @throws Error with release 1.20's message when it refuses the volume */
  find(job: VolumeJob, source: FlexSource): Promise<FoundVolume | undefined>;
  /**
   * Has drivers unmount all of a pod's volumes that they have mounted, and lets go of devices that no other pod uses.
   * What has no driver any more is left to whoever ends mounts.
   *
   * @throws Error when a driver fails: it may be called again then.
   */
  unmountPod(podUid: string): Promise<void>;
}

/** What is known of drivers' volumes while the agent runs. */
export interface FlexState extends FlexVolumesOptions {
  readonly drivers: VolumeDrivers;
  readonly devices: FlexDevices;
  /** Pods that share a device take turns. */
  readonly queues: PodQueues;
  /** Folders that a driver was done with, for drivers that mount nothing; one of a new agent is called again. */
  readonly ready: Set<string>;
  /** Folders of volumes that a driver that attaches has named. */
  readonly named: Set<string>;
}

/** A volume of a driver in a pod. */
export interface FlexPlace {
  readonly driver: VolumeDriver;
  /** Of the volume. */
  readonly name: string;
  readonly folder: string;
}

/** Nothing is called before the first question. */
export function createFlexVolumes(options: FlexVolumesOptions): FlexVolumes {
  const state: FlexState = {
    ...options,
    drivers: createVolumeDrivers({ folder: options.pluginFolder, logger: options.logger }),
    devices: createFlexDevices(options),
    queues: createPodQueues(),
    ready: new Set(),
    named: new Set(),
  };
  return {
    find: (job, source) => findFlexVolume(state, job, source),
    unmountPod: (podUid) => unmountFlexVolumes(state, podUid),
  };
}
