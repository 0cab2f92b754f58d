import { access, mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorCode, namesIn, writeFileAtomic } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podDirectory } from '../container-config/index.ts';
import { diskMountPath, diskPath, joinDisks, type NetworkDisk, parseDisk } from '../disks/index.ts';
import { isMissing } from './describe-error.ts';
import { diskFileName, diskFiles, diskFolder } from './disk-files.ts';

/**
 * What is kept of disks on the node, so that a later process of the agent takes them away too: `disk.json` for each disk, and
 * beside it an empty file for each pod that uses it, named by the pod's uid. Files below a mount cannot be read, so all is
 * where release 1.20 keeps what it knows of devices, whether a disk is mounted or not.
 */
export class DiskRecords {
  readonly #rootDirectory: string;
  readonly #dialect: Dialect;
  /** Disks by the files of pods that were made for them. */
  readonly #known = new Map<string, NetworkDisk>();

  constructor(rootDirectory: string, dialect: Dialect) {
    this.#rootDirectory = rootDirectory;
    this.#dialect = dialect;
  }

  /** Where a disk is mounted for all pods. */
  mountPath(disk: NetworkDisk): string {
    return posix.join(diskFolder(this.#rootDirectory, this.#dialect, disk.kind), diskMountPath(disk));
  }

  /**
   * Keeps a disk, and that a pod uses it; before the disk is brought, so that nothing is left of an agent that is killed.
   * Gives the disk with all that is kept of it: others may describe it with another name or more ways to it.
   */
  async add(disk: NetworkDisk, podUid: string): Promise<NetworkDisk> {
    const folder = this.#folderOf(disk);
    const mark = posix.join(folder, podUid);
    const known = this.#known.get(mark);
    if (known !== undefined) return known;
    await mkdir(folder, { recursive: true, mode: 0o750 });
    const file = posix.join(folder, diskFileName);
    const before = await readRecord(file);
    const joined = before === undefined ? disk : joinDisks(before, disk);
    await writeFileAtomic(file, JSON.stringify(joined), { mode: 0o600 });
    await writeFile(mark, '', { mode: 0o600 });
    this.#known.set(mark, joined);
    return joined;
  }

  /** Disks on the node. @throws Error for a file that makes no sense */
  async list(): Promise<NetworkDisk[]> {
    const all = await Promise.all(diskFiles(this.#rootDirectory, this.#dialect).map(readRecord));
    return all.filter((disk) => disk !== undefined);
  }

  /** Whether a pod has used the disk, be it on the node still or not. @throws Error of the file system */
  async isOf(disk: NetworkDisk, podUid: string): Promise<boolean> {
    return (await namesIn(this.#folderOf(disk))).includes(podUid);
  }

  /** Whether a pod that is on the node uses the disk; then those that have gone are forgotten. @throws Error of the file system */
  async isUsed(disk: NetworkDisk): Promise<boolean> {
    const folder = this.#folderOf(disk);
    const uids = (await namesIn(folder)).filter((name) => name !== diskFileName);
    const gone: string[] = [];
    for (const uid of uids) if (!(await isThere(podDirectory(this.#rootDirectory, uid)))) gone.push(uid);
    if (gone.length === uids.length) return false;
    for (const uid of gone) await this.#forget(posix.join(folder, uid));
    return true;
  }

  /** The disk has left the node, and nobody uses it. @throws Error of the file system */
  async remove(disk: NetworkDisk): Promise<void> {
    const folder = this.#folderOf(disk);
    const top = diskFolder(this.#rootDirectory, this.#dialect, disk.kind);
    for (const uid of await namesIn(folder)) await this.#forget(posix.join(folder, uid));
    await rm(folder, { recursive: true, force: true });
    for (const path of [this.mountPath(disk), posix.dirname(folder)]) await removeEmpty(path, top);
  }

  async #forget(mark: string): Promise<void> {
    await rm(mark, { force: true });
    this.#known.delete(mark);
  }

  #folderOf(disk: NetworkDisk): string {
    const folder = diskFolder(this.#rootDirectory, this.#dialect, disk.kind);
    return posix.join(folder, 'volumeDevices', diskPath(disk));
  }
}

async function readRecord(file: string): Promise<NetworkDisk | undefined> {
  try {
    return parseRecord(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function parseRecord(text: string, file: string): NetworkDisk {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file}: not JSON`, { cause });
  }
  const disk = parseDisk(value);
  if (disk === undefined) throw new Error(`${file}: describes no disk`);
  return disk;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Removes a folder that nothing is in, and then those above it in the same way. @throws Error of the file system */
async function removeEmpty(folder: string, top: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOTEMPTY') return;
    if (!isMissing(error)) throw error;
  }
  if (folder !== top) await removeEmpty(posix.dirname(folder), top);
}
