import type { Stats } from 'node:fs';
import { lstat, opendir, statfs } from 'node:fs/promises';
import { posix } from 'node:path';
import { isMissing } from './describe-error.ts';

/** What the files below a folder take, and what their file system has. */
export interface FolderUsage {
  readonly usedBytes: number;
  readonly inodesUsed: number;
  readonly availableBytes: number;
  readonly capacityBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
}

const blockBytes = 512;
/** Files that are looked at together. */
const batchSize = 64;

/**
 * Adds up what is below a folder, itself included, on its own file system; a file with several names counts once. Files
 * that go meanwhile are left out.
 *
 * @throws Error when the folder is not there
 */
export async function measureFolder(folder: string): Promise<FolderUsage> {
  const stats = await lstat(folder);
  const sum = {
    usedBytes: stats.blocks * blockBytes,
    inodesUsed: 1,
    device: stats.dev,
    linked: new Set<number>(),
  };
  await addBelow(folder, sum);
  const fileSystem = await measureFileSystem(folder);
  return { ...fileSystem, usedBytes: sum.usedBytes, inodesUsed: sum.inodesUsed };
}

/** What a file system has, and what all that is on it takes. @throws Error when the path is not there */
export async function measureFileSystem(path: string): Promise<FolderUsage> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path);
  return {
    usedBytes: (blocks - bfree) * bsize,
    inodesUsed: files - ffree,
    availableBytes: bavail * bsize,
    capacityBytes: blocks * bsize,
    inodes: files,
    inodesFree: ffree,
  };
}

interface Sum {
  usedBytes: number;
  inodesUsed: number;
  readonly device: number;
  /** Files seen that have several names. */
  readonly linked: Set<number>;
}

async function addBelow(folder: string, sum: Sum): Promise<void> {
  let batch: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      batch.push(posix.join(folder, name));
      if (batch.length < batchSize) continue;
      await addAll(batch, sum);
      batch = [];
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await addAll(batch, sum);
}

async function addAll(paths: readonly string[], sum: Sum): Promise<void> {
  const found = await Promise.all(paths.map(statOf));
  for (const [index, stats] of found.entries()) {
    const path = paths[index];
    if (stats === undefined || path === undefined || stats.dev !== sum.device) continue;
    if (add(stats, sum) && stats.isDirectory()) await addBelow(path, sum);
  }
}

function add(stats: Stats, sum: Sum): boolean {
  // Folders have a link for each folder in them.
  if (stats.nlink > 1 && !stats.isDirectory()) {
    if (sum.linked.has(stats.ino)) return false;
    sum.linked.add(stats.ino);
  }
  sum.inodesUsed += 1;
  sum.usedBytes += stats.blocks * blockBytes;
  return true;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
