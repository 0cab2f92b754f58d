import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { VolumeDriver, VolumeDrivers } from '../volume-plugins/contract.ts';
import type { Attacher, FlexDevices } from './flex-devices.ts';
import type { MountCommands } from './mount-commands.ts';
import type { PodQueues } from './pod-queues.ts';

/** What volumes of third-party drivers are made with. */
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

/** What is known of drivers' volumes while the agent runs. */
export interface FlexState extends FlexVolumesOptions {
  readonly drivers: VolumeDrivers;
  readonly devices: FlexDevices;
  /** Pods that share a device take turns. */
  readonly queues: PodQueues;
  /**
   * Folders that a driver has finished though it mounts nothing. Empty after a restart: such drivers are called again
   * then.
   */
  readonly ready: Set<string>;
  /** Folders of volumes whose driver attaches devices and has answered `getvolumename`. */
  readonly named: Set<string>;
}

/** A volume of a driver in a pod. */
export interface FlexPlace {
  readonly driver: VolumeDriver;
  /** Of the volume. */
  readonly name: string;
  readonly folder: string;
}
