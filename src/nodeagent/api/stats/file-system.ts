import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** A file system as a whole. */
export interface FileSystemState {
  readonly capacityBytes: number;
  readonly availableBytes: number;
  readonly usedBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
}

/** What a folder and all below it take. */
export interface FolderUsage {
  readonly usedBytes: number;
  readonly inodesUsed: number;
}

const blockBytes = 512;
/** Entries that are counted at most; folders of logs have fewer. */
const maxEntries = 10_000;

/** The file system that a path lies on; undefined when it cannot be told. */
export async function fileSystemState(path: string): Promise<FileSystemState | undefined> {
  const found = await statfs(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const { bsize, blocks, bfree, bavail, files, ffree } = found;
  return {
    capacityBytes: blocks * bsize,
    availableBytes: bavail * bsize,
    usedBytes: (blocks - bfree) * bsize,
    inodes: files,
    inodesFree: ffree,
  };
}

/** Disk usage of a folder; links are not followed, and files that vanish meanwhile are skipped. */
export async function folderUsage(path: string): Promise<FolderUsage> {
  let usedBytes = 0;
  let inodesUsed = 0;
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined && inodesUsed < maxEntries; next = waiting.pop()) {
    const found = await lstat(next).catch(() => undefined);
    if (found === undefined) continue;
    usedBytes += found.blocks * blockBytes;
    inodesUsed++;
    if (!found.isDirectory()) continue;
    const folder = next;
    const names = await readdir(folder).catch(() => []);
    waiting.push(...names.map((name) => join(folder, name)));
  }
  return { usedBytes, inodesUsed };
}
