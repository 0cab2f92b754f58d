import { mkdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { posix } from 'node:path';
import type { MountCommands } from './mount-commands.ts';
import type { MountPoint } from './mount-table.ts';
import { setOwnership } from './ownership.ts';

/** The file or folder of the node that is mounted into a pod, and how. */
export interface LocalVolumeOptions {
  /** Of the node. */
  readonly source: string;
  readonly folder: string;
  /** Folder of all pods. */
  readonly podsFolder: string;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
  readonly groupId: number | undefined;
  readonly isByRootOnly: boolean;
  readonly mount: MountCommands;
}

/** Mounts a folder of the node for one pod, unless it is mounted already. @throws Error */
export async function mountLocalVolume(options: LocalVolumeOptions): Promise<void> {
  const { source, folder, isReadOnly, mountOptions, groupId, mount } = options;
  checkPath(source);
  if (findMount(await mount.list(), folder) !== undefined) return;
  if (!(await stat(source)).isDirectory()) throw new Error(`local volume path ${source} is not a directory`);
  await mkdir(folder, { recursive: true, mode: 0o750 });
  const bindOptions = ['bind', ...(isReadOnly ? ['ro'] : []), ...mountOptions];
  await mount.mount({ source, target: folder, options: bindOptions });
  if (isReadOnly || groupId === undefined) return;
  // Another pod of this node has it mounted and may rely on its ownership.
  if (await isShared(options)) return;
  try {
    await setOwnership(folder, { groupId, isReadOnly, isByRootOnly: options.isByRootOnly });
  } catch (error) {
    await mount.unmount(folder);
    throw error;
  }
}

/** Links a block device of the node for one pod; false: that was done before. @throws Error when the path is none. */
export async function linkLocalDevice(source: string, link: string): Promise<boolean> {
  checkPath(source);
  if (!(await stat(source)).isBlockDevice()) throw new Error(`${source} is not a block device`);
  await mkdir(posix.dirname(link), { recursive: true, mode: 0o750 });
  if ((await readlink(link).catch(() => undefined)) === source) return false; // not a link, or missing: created below
  await rm(link, { force: true });
  await symlink(source, link);
  return true;
}

function checkPath(path: string): void {
  if (path.split('/').includes('..')) throw new Error(`invalid path: ${path} must not contain '..'`);
}

const findMount = (points: readonly MountPoint[], path: string): MountPoint | undefined =>
  points.findLast((point) => point.path === path);

async function isShared({ folder, podsFolder, mount }: LocalVolumeOptions): Promise<boolean> {
  const points = await mount.list();
  const own = findMount(points, folder);
  return points.some(
    ({ path, device, root }) =>
      path !== folder && path.startsWith(`${podsFolder}/`) && device === own?.device && root === own.root,
  );
}
