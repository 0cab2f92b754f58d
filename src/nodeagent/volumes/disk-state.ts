import type { Dialect } from '../../machinery/dialect.ts';
import type { DiskHost } from '../disks/disk-host.ts';
import { fcDiskOf } from '../disks/fc-disk.ts';
import { iscsiDiskOf } from '../disks/iscsi-disk.ts';
import type { NetworkDisk } from '../disks/network-disk.ts';
import { rbdDiskOf } from '../disks/rbd-disk.ts';
import { describeError } from './describe-error.ts';
import type { DiskRecords } from './disk-records.ts';
import type { DiskSource } from './disk-source.ts';
import type { MountCommands } from './mount-commands.ts';
import { MountStepError } from './mount-step-error.ts';
import type { PodQueues } from './pod-queues.ts';
import type { VolumeJob } from './volume-tools.ts';

/** What disks are mounted with. */
export interface DiskVolumesOptions {
  readonly rootDirectory: string;
  readonly dialect: Dialect;
  readonly mount: MountCommands;
  readonly host: DiskHost;
  /** Names of the volumes that the node's status shows as in use; kept up to date. */
  readonly used: Set<string>;
}

/** What is known of disks while the agent runs. */
export interface DiskState extends DiskVolumesOptions {
  readonly records: DiskRecords;
  /** Disks of one target take turns. */
  readonly queues: PodQueues;
  /** Devices that pods use as they are, by where the disk would be mounted. Empty after a restart: they are looked for again. */
  readonly devices: Map<string, string>;
  /** What an earlier process has left was looked for. */
  isSwept: boolean;
}

/** One disk on its way into one pod. */
export interface DiskJob {
  readonly job: VolumeJob;
  readonly source: DiskSource;
  readonly disk: NetworkDisk;
}

/** The disk that a volume describes. @throws MountStepError */
export function describeDisk(source: DiskSource): NetworkDisk {
  const { name, disk } = source;
  try {
    if (disk.kind === 'iscsi') return iscsiDiskOf(name, disk.iscsi);
    return disk.kind === 'fc' ? fcDiskOf(disk.fc) : rbdDiskOf(disk.rbd);
  } catch (cause) {
    throw initializationError(source, cause);
  }
}

/** The volume cannot be told its disk, or what that needs. */
export const initializationError = (source: DiskSource, cause: unknown): MountStepError =>
  stepError(
    source,
    source.isBlock ? 'NewBlockVolumeMapper initialization' : 'NewMounter initialization',
    cause,
  );

/** The failure of a step, which has another name for volumes that are devices (release 1.20). */
export function stepError({ isBlock }: DiskSource, step: string, cause: unknown): MountStepError {
  const reason = isBlock ? 'FailedMapVolume' : 'FailedMount';
  return new MountStepError(`${isBlock ? 'MapVolume' : 'MountVolume'}.${step}`, describeError(cause), {
    reason,
    cause,
  });
}
