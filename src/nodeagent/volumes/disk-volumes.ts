import { posix } from 'node:path';
import { errorText } from '../../base/index.ts';
import { volumeDeviceDirectory } from '../container-config/index.ts';
import { detachDisk, diskQueue, type NetworkDisk } from '../disks/network-disk.ts';
import { attachSource } from './disk-attach.ts';
import { mountDisk } from './disk-mount.ts';
import { DiskRecords } from './disk-records.ts';
import type { DiskSource } from './disk-source.ts';
import { type DiskJob, type DiskState, type DiskVolumesOptions, describeDisk } from './disk-state.ts';
import { linkLocalDevice } from './local-volume.ts';
import { isMountPoint } from './mount-commands.ts';
import { createPodQueues } from './pod-queues.ts';
import type { DiskVolumes, FoundVolume, MadeVolume, VolumeJob } from './volume-tools.ts';

/** Nothing is brought before the first volume. */
export function createDiskVolumes(options: DiskVolumesOptions): DiskVolumes {
  const { rootDirectory, dialect, host } = options;
  const state: DiskState = {
    ...options,
    records: new DiskRecords(rootDirectory, dialect, host.logger),
    queues: createPodQueues(),
    devices: new Map(),
    isSwept: false,
  };
  return {
    find: (job, source) => findDisk(state, job, source),
    release: (podUid) => release(state, podUid),
  };
}

function findDisk(state: DiskState, job: VolumeJob, source: DiskSource): FoundVolume {
  return {
    name: source.name,
    plugin: state.dialect.label(source.disk.kind),
    isDevice: source.isBlock,
    needs: [],
    async make() {
      const disk = describeDisk(source);
      return state.queues.run(diskQueue(disk), () => makeOne(state, { job, source, disk }));
    },
  };
}

async function makeOne(state: DiskState, disk: DiskJob): Promise<MadeVolume> {
  const kept = await state.records.add(disk.disk, disk.job.pod.metadata.uid ?? '');
  state.used.add(keyOf(state, kept));
  return disk.source.isBlock ? linkDisk(state, disk) : mountDisk(state, disk);
}

/** Gives a pod a disk as a device, unless that is done. @throws Error, MountStepError */
async function linkDisk(state: DiskState, disk: DiskJob): Promise<MadeVolume> {
  const { devices, records, dialect } = state;
  const { job, source } = disk;
  const path = records.mountPath(disk.disk);
  const device = devices.get(path) ?? (await attachSource(state, disk));
  const folder = volumeDeviceDirectory(job.podDir, dialect.label(source.disk.kind));
  const link = posix.join(folder, source.name);
  const isNew = await linkLocalDevice(device, link);
  devices.set(path, device);
  if (isNew) {
    const message = `MapVolume.MapPodDevice succeeded for volume "${source.name}" volumeMapPath "${folder}"`;
    job.tools.onEvent(job.pod, { type: 'Normal', reason: 'SuccessfulMountVolume', message });
  }
  return { devicePath: link, isReadOnly: source.isReadOnly, needsSelinuxLabel: false };
}

/** The disk as the node's status names it. */
const keyOf = ({ dialect }: DiskState, { kind, uniqueName }: NetworkDisk): string =>
  `${dialect.label(kind)}/${uniqueName}`;

/**
 * Takes away the disks of a pod that no other one uses. What an earlier process of the agent has left goes at the first
 * call; if that fails, it is not this pod that has to wait for it.
 *
 * @throws Error
 */
async function release(state: DiskState, podUid: string): Promise<void> {
  const { records, queues, host } = state;
  const isFirst = !state.isSwept;
  const failures: unknown[] = [];
  for (const disk of await records.list()) {
    const isOwn = await records.isOf(disk, podUid);
    if (!(isOwn || isFirst) || (await records.isUsed(disk))) continue;
    const path = records.mountPath(disk);
    await queues
      .run(diskQueue(disk), () => releaseOne(state, path))
      .catch((error) => {
        if (isOwn) failures.push(error);
        else {
          const fields = { path, error: errorText(error) };
          host.logger.error('disk of an earlier process not taken away', fields);
        }
      });
  }
  state.isSwept = true;
  // Only now: one disk that cannot go does not keep the others.
  if (failures.length > 0) throw failures[0];
}

async function releaseOne(state: DiskState, path: string): Promise<void> {
  const { records, used, host, devices, mount } = state;
  const isOther = (other: NetworkDisk): boolean => records.mountPath(other) !== path;
  const all = await records.list();
  const disk = all.find((one) => !isOther(one));
  // Meanwhile another end of a pod may have taken it away, or a pod has got it.
  if (disk === undefined || (await records.isUsed(disk))) return;
  if (await isMountPoint(mount, path)) await mount.unmount(path);
  await detachDisk(host, disk, all.filter(isOther));
  devices.delete(path);
  await records.remove(disk);
  used.delete(keyOf(state, disk));
}
