import type { Stats } from 'node:fs';
import { chmod, lchown, lstat, readdir } from 'node:fs/promises';
import { posix } from 'node:path';

/** The group (`fsGroup`) that owns a volume's files, and the access that it gets. */
export interface OwnershipOptions {
  readonly groupId: number;
  readonly isReadOnly: boolean;
  /** Policy `OnRootMismatch`: nothing is changed when owner and mode of the folder itself are right. */
  readonly isByRootOnly?: boolean | undefined;
}

const setGroupId = 0o2000;
const permissionBits = 0o7777;

/**
 * Gives a folder with all that is in it to a group, which may read and, unless it is read-only, write; what is made in it
 * belongs to the group as well. Links are neither changed nor followed.
 *
 * @throws Error of the file system
 */
export async function setOwnership(folder: string, options: OwnershipOptions): Promise<void> {
  const stats = await lstat(folder);
  if (options.isByRootOnly === true && isOwned(stats, options)) return;
  await setOne(folder, stats, options);
  if (stats.isDirectory()) await setBelow(folder, options);
}

const maskOf = (isReadOnly: boolean): number => (isReadOnly ? 0o440 : 0o660);

function isOwned({ gid, mode }: Stats, { groupId, isReadOnly }: OwnershipOptions): boolean {
  const needed = maskOf(isReadOnly) | 0o110 | setGroupId;
  return gid === groupId && (mode & needed) === needed;
}

async function setBelow(folder: string, options: OwnershipOptions): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = posix.join(folder, name);
    const stats = await lstat(path);
    await setOne(path, stats, options);
    if (stats.isDirectory()) await setBelow(path, options);
  }
}

async function setOne(path: string, stats: Stats, { groupId, isReadOnly }: OwnershipOptions): Promise<void> {
  // Owner and mode of a link mean nothing: release 1.20 leaves them.
  if (stats.isSymbolicLink()) return;
  await lchown(path, -1, groupId);
  const mask = maskOf(isReadOnly) | (stats.isDirectory() ? setGroupId | 0o110 : 0);
  await chmod(path, (stats.mode & permissionBits) | mask);
}
