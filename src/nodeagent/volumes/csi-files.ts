import { lstat, mkdir, readFile, rm, rmdir, unlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { asJsonObject, asText, writeFileAtomic } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { volumeDeviceDirectory, volumeDirectory } from '../container-config/index.ts';
import { isMissing } from './describe-error.ts';
import { isMountPoint, type MountCommands } from './mount-commands.ts';

/** What is kept of a volume beside its mount, in release 1.20's file and under its keys. */
export interface VolumeData {
  readonly driverName: string;
  readonly volumeHandle: string;
  readonly specVolID?: string | undefined;
  readonly nodeName?: string | undefined;
  readonly attachmentID?: string | undefined;
  readonly volumeLifecycleMode?: string | undefined;
}

const fileName = 'vol_data.json';

/** Folder of what belongs to the node: staged volumes, published devices. */
export const csiFolder = (rootDirectory: string, dialect: Dialect): string =>
  posix.join(rootDirectory, 'plugins', dialect.label('csi'));

/** Authors of pods choose names of volumes that are migrated: none leads out of its folder. */
const asSegment = (name: string): string => name.replaceAll('/', '~');

/** Where the volume of this name is for the node and for one pod (release 1.20's layout). */
export class CsiPaths {
  readonly #folder: string;
  readonly #plugin: string;

  constructor(rootDirectory: string, dialect: Dialect) {
    this.#folder = csiFolder(rootDirectory, dialect);
    this.#plugin = dialect.label('csi');
  }

  /** Where the driver stages it; what is kept of it is in the folder that `dataOf` gives. */
  staging(name: string, { isBlock }: { readonly isBlock: boolean }): string {
    return isBlock
      ? posix.join(this.#folder, 'volumeDevices', 'staging', asSegment(name))
      : posix.join(this.#folder, 'pv', asSegment(name), 'globalmount');
  }

  dataOf(name: string, { isBlock }: { readonly isBlock: boolean }): string {
    return isBlock
      ? posix.join(this.#folder, 'volumeDevices', asSegment(name), 'data')
      : posix.join(this.#folder, 'pv', asSegment(name));
  }

  /** Folder of what a pod has of it; the mount is `mount` in it. */
  ofPod(podDir: string, name: string): string {
    return volumeDirectory(podDir, this.#plugin, asSegment(name));
  }

  /** The file at which the driver publishes a device for a pod. */
  publishedDevice(name: string, podUid: string): string {
    return posix.join(this.#folder, 'volumeDevices', 'publish', asSegment(name), podUid);
  }

  /** Link to the device in the pod's folder. */
  deviceLink(podDir: string, name: string): string {
    return posix.join(volumeDeviceDirectory(podDir, this.#plugin), asSegment(name));
  }
}

/** Keeps what is needed to undo a mount, also for a later process. @throws Error */
export async function writeVolumeData(folder: string, data: VolumeData): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
  await writeFileAtomic(posix.join(folder, fileName), JSON.stringify(data), { mode: 0o644 });
}

/** Undefined when nothing was kept. @throws Error for a file that cannot be read or says neither driver nor volume */
export async function readVolumeData(folder: string): Promise<VolumeData | undefined> {
  const file = posix.join(folder, fileName);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return parseVolumeData(text, file);
}

/** @throws Error for what says neither driver nor volume; the message names the file */
export function parseVolumeData(text: string, file: string): VolumeData {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`failed to load volume data file ${file}: not JSON`, { cause });
  }
  const fields = asJsonObject(value);
  const [driverName, volumeHandle] = [asText(fields.driverName), asText(fields.volumeHandle)];
  if (driverName === '' || volumeHandle === '') {
    throw new Error(`failed to load volume data file ${file}: driverName or volumeHandle is missing`);
  }
  return { driverName, volumeHandle };
}

/** Removes where something was mounted, and what is kept of it beside it; nothing where it is mounted still. @throws Error */
export async function removeMountFolder(
  target: string,
  dataFolder: string,
  mount: MountCommands,
): Promise<void> {
  if (await isMountPoint(mount, target)) return;
  const stats = await lstat(target).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (stats?.isDirectory() === true) await rmdir(target);
  else if (stats !== undefined) await unlink(target);
  await rm(posix.join(dataFolder, fileName), { force: true });
  await rmdir(dataFolder).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
