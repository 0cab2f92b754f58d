import { mkdir, rmdir } from 'node:fs/promises';
import { volumeDirectory } from '../container-config/index.ts';
import { describeError } from './describe-error.ts';
import { attachSource } from './disk-attach.ts';
import { type DiskJob, type DiskState, stepError } from './disk-state.ts';
import { formatAndMount } from './format-device.ts';
import { isMountPoint } from './mount-commands.ts';
import { setOwnership } from './ownership.ts';
import { groupOf, type MadeVolume } from './volume-tools.ts';

/** Mounts a disk once for the node, formatted if it is empty, and binds that into a pod; unless it is done. @throws MountStepError */
export async function mountDisk(state: DiskState, disk: DiskJob): Promise<MadeVolume> {
  const { dialect, mount } = state;
  const { job, source } = disk;
  const { name, isReadOnly } = source;
  const folder = volumeDirectory(job.podDir, dialect.label(source.disk.kind), name);
  if (!(await isMountPoint(mount, folder))) {
    const path = await mountForNode(state, disk);
    await mkdir(folder, { recursive: true, mode: 0o750 });
    await mount.mount({ source: path, target: folder, options: ['bind', ...(isReadOnly ? ['ro'] : [])] });
    await setGroup(state, disk, folder);
  }
  return { path: folder, isReadOnly, needsSelinuxLabel: !isReadOnly, measuredBy: 'file-system' };
}

async function mountForNode(state: DiskState, disk: DiskJob): Promise<string> {
  const { records, mount, host } = state;
  const { fsType, isReadOnly, mountOptions } = disk.source;
  const target = records.mountPath(disk.disk);
  if (await isMountPoint(mount, target)) return target;
  const device = await attachSource(state, disk);
  try {
    await mkdir(target, { recursive: true, mode: 0o750 });
    await formatAndMount({ device, target, fsType, isReadOnly, mountOptions, mount, run: host.run });
  } catch (cause) {
    await rmdir(target).catch(() => undefined); // the disk's own failure is reported; the folder goes with the disk
    throw stepError(disk.source, 'MountDevice', cause);
  }
  return target;
}

async function setGroup({ host }: DiskState, { job, source }: DiskJob, folder: string): Promise<void> {
  const groupId = groupOf(job.pod);
  if (source.isReadOnly || groupId === undefined) return;
  const policy = job.pod.spec.securityContext?.fsGroupChangePolicy;
  const isByRootOnly = job.tools.hasGroupPolicy && policy === 'OnRootMismatch';
  try {
    await setOwnership(folder, { groupId, isReadOnly: false, isByRootOnly });
  } catch (error) {
    // As in release 1.20: a file system without ownership is usable nevertheless.
    host.logger.error('volume ownership change failed', { folder, error: describeError(error) });
  }
}
