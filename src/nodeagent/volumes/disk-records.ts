import { access, mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorCode, errorText, type Logger, namesIn, writeFileAtomic } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podDirectory } from '../container-config/index.ts';
import { diskMountPath, diskPath, joinDisks, type NetworkDisk, parseDisk } from '../disks/network-disk.ts';
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
  readonly #logger: Logger;
  /** Disks by the files of pods that were made for them. */
  readonly #known = new Map<string, NetworkDisk>();

  constructor(rootDirectory: string, dialect: Dialect, logger: Logger) {
    this.#rootDirectory = rootDirectory;
    this.#dialect = dialect;
    this.#logger = logger;
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
    const before = await this.#read(file);
    const joined = before === undefined ? disk : joinDisks(before, disk);
    await writeFileAtomic(file, JSON.stringify(joined), { mode: 0o600 });
    await writeFile(mark, '', { mode: 0o600 });
    this.#known.set(mark, joined);
    return joined;
  }

  /** Disks on the node. @throws Error of the file system */
  async list(): Promise<NetworkDisk[]> {
    const files = diskFiles(this.#rootDirectory, this.#dialect);
    const all = await Promise.all(files.map((file) => this.#read(file)));
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

  /** Undefined for a file that is not there, and for one that makes no sense: other disks must not stay because of it. */
  async #read(file: string): Promise<NetworkDisk | undefined> {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      return parseRecord(text);
    } catch (error) {
      this.#logger.error('disk not readable', { file, error: errorText(error) });
      return undefined;
    }
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

/** @throws Error for text that describes no disk */
function parseRecord(text: string): NetworkDisk {
  const disk = parseDisk(JSON.parse(text));
  if (disk === undefined) throw new Error('it describes no disk');
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
