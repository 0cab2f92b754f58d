import { rm, rmdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { namesIn } from '../../base/index.ts';
import { podDirectory, podsDirectory } from '../container-config/index.ts';
import { readVolumeData, removeMountFolder, type VolumeData } from './csi-files.ts';
import { csiVolumeKey } from './csi-source.ts';
import type { CsiState } from './csi-state.ts';
import { describeError, isMissing } from './describe-error.ts';
import { endMounts } from './end-mounts.ts';
import { isMountPoint } from './mount-commands.ts';

/** Has drivers unpublish what they have published for a pod, found by its folders, and unstage what is unused. @throws Error */
export async function unmountCsiVolumes(state: CsiState, podUid: string): Promise<void> {
  const podDir = podDirectory(state.rootDirectory, podUid);
  const folders = foldersOf(state, podDir);
  const mounts = await namesIn(folders.mounts);
  // Paths below volumes keep their file systems busy.
  if (mounts.length > 0) await endMounts(posix.join(podDir, 'volume-subpaths'), state.mount);
  for (const name of mounts) await unmountOne(state, { podUid, podDir, name });
  for (const name of await namesIn(folders.devices)) await unmapOne(state, { podUid, podDir, name });
}

/** A volume in a pod. */
interface PodPlace {
  readonly podUid: string;
  readonly podDir: string;
  /** Of the volume. */
  readonly name: string;
}

const foldersOf = ({ plugin }: CsiState, podDir: string) => ({
  mounts: posix.join(podDir, 'volumes', plugin.replaceAll('/', '~')),
  devices: posix.join(podDir, 'volumeDevices', plugin.replaceAll('/', '~')),
});

async function unmountOne(state: CsiState, { podUid, podDir, name }: PodPlace): Promise<void> {
  const { paths, mount, refused } = state;
  const folder = paths.ofPod(podDir, name);
  const target = posix.join(folder, 'mount');
  const published = await readVolumeData(folder);
  if (published === undefined && (await isMountPoint(mount, target))) {
    throw new Error(`${folder}: nothing says which driver has mounted it`);
  }
  const undo = async (): Promise<void> => {
    if (published !== undefined && !refused.has(target)) await unpublish(state, published, target);
    state.published.delete(target);
    if (!(await isUsedByOthers(state, podUid, name))) await unstage(state, name, { isBlock: false });
    // Last: an agent that is killed before finds what is to be done.
    await removeMountFolder(target, folder, mount);
    refused.delete(target);
  };
  const data = published ?? (await readVolumeData(paths.dataOf(name, { isBlock: false })));
  await inQueue(state, data, undo);
}

/** Pods that share a volume take turns. */
function inQueue({ queues, plugin }: CsiState, data: VolumeData | undefined, run: () => Promise<void>) {
  if (data === undefined) return run();
  return queues.run(csiVolumeKey(plugin, data.driverName, data.volumeHandle), run);
}

async function unmapOne(state: CsiState, { podUid, podDir, name }: PodPlace): Promise<void> {
  const { paths, published, refused } = state;
  const target = paths.publishedDevice(name, podUid);
  const data = await readVolumeData(paths.dataOf(name, { isBlock: true }));
  const undo = async (): Promise<void> => {
    if (data !== undefined && !refused.has(target)) await unpublish(state, data, target);
    await rm(target, { force: true });
    published.delete(target);
    refused.delete(target);
    if (!(await isUsedByOthers(state, podUid, name))) await unstage(state, name, { isBlock: true });
    await rm(paths.deviceLink(podDir, name), { force: true });
  };
  await inQueue(state, data, undo);
}

async function unpublish(
  { drivers, plugin }: CsiState,
  { driverName, volumeHandle }: VolumeData,
  target: string,
): Promise<void> {
  try {
    const driver = drivers.get(driverName);
    await driver.call('NodeUnpublishVolume', { volume_id: volumeHandle, target_path: target });
  } catch (cause) {
    throw new Error(`${plugin}: Unmounter.TearDownAt failed: ${describeError(cause)}`, { cause });
  }
}

async function unstage(state: CsiState, name: string, kind: { readonly isBlock: boolean }): Promise<void> {
  const { paths, mount, drivers, holders, staged, used, plugin, expanded } = state;
  const folder = paths.dataOf(name, kind);
  const path = paths.staging(name, kind);
  const data = await readVolumeData(folder);
  if (data === undefined) {
    holders.delete(path);
    return;
  }
  try {
    const driver = drivers.get(data.driverName);
    if (await driver.can('STAGE_UNSTAGE_VOLUME')) {
      await driver.call('NodeUnstageVolume', { volume_id: data.volumeHandle, staging_target_path: path });
    }
  } catch (cause) {
    throw new Error(`${plugin}: attacher.UnmountDevice failed: ${describeError(cause)}`, { cause });
  }
  staged.delete(path);
  expanded.delete(name);
  await removeMountFolder(path, folder, mount);
  holders.delete(path);
  if (kind.isBlock) {
    const published = posix.dirname(paths.publishedDevice(name, '-'));
    for (const left of [published, posix.dirname(folder)]) await removeEmpty(left);
  }
  used.delete(csiVolumeKey(plugin, data.driverName, data.volumeHandle));
}

async function isUsedByOthers(state: CsiState, podUid: string, name: string): Promise<boolean> {
  const podsFolder = podsDirectory(state.rootDirectory);
  for (const other of await namesIn(podsFolder)) {
    if (other === podUid) continue;
    const { mounts, devices } = foldersOf(state, posix.join(podsFolder, other));
    if ((await namesIn(mounts)).includes(name) || (await namesIn(devices)).includes(name)) return true;
  }
  return false;
}

async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
