import { dirname } from 'node:path';
import type { FilesystemUsage } from '../../runtime/index.ts';
import { type FileSystemState, fileSystemState } from './file-system.ts';
import type { MeasuredGroup } from './measured-groups.ts';

/** A file system, or what something takes of it (`stats.v1alpha1.FsStats`). */
export interface FsStats {
  readonly time: string;
  readonly availableBytes?: number;
  readonly capacityBytes?: number;
  readonly usedBytes: number;
  readonly inodesFree?: number;
  readonly inodes?: number;
  readonly inodesUsed: number;
}

/** A file system as a whole. */
export function describeFs(fs: FileSystemState, time: string): FsStats {
  const { availableBytes, capacityBytes, usedBytes, inodesFree, inodes } = fs;
  return {
    time,
    availableBytes,
    capacityBytes,
    usedBytes,
    inodesFree,
    inodes,
    inodesUsed: inodes - inodesFree,
  };
}

/** What the runtime measured, on the file system that it lies on. */
export async function describeUsage(
  usage: FilesystemUsage,
  rootFs: FileSystemState | undefined,
): Promise<FsStats> {
  const { atMs, mountpoint, usedBytes, inodesUsed } = usage;
  const own = mountpoint === '' ? undefined : await nearestFileSystem(mountpoint);
  const fs = own ?? rootFs;
  const time = timeOf(atMs);
  return fs === undefined
    ? { time, usedBytes, inodesUsed }
    : { ...describeFs(fs, time), usedBytes, inodesUsed };
}

/** The path may be gone or hidden; its parent is on the same file system. */
async function nearestFileSystem(path: string): Promise<FileSystemState | undefined> {
  return (await fileSystemState(path)) ?? (await fileSystemState(dirname(path)));
}

/** Memory of a control group (`stats.v1alpha1.MemoryStats`). */
export interface Memory {
  readonly time: string;
  readonly availableBytes: number | undefined;
  readonly usageBytes: number;
  readonly workingSetBytes: number;
  readonly rssBytes: number;
  readonly pageFaults: number;
  readonly majorPageFaults: number;
}

/** Processor time and memory of a control group; without a limit `availableBytes` is left out. */
export function cpuAndMemory({ usage, nanoCores }: MeasuredGroup) {
  const time = timeOf(usage.atMs);
  const { limitBytes, usageBytes, workingSetBytes, rssBytes, pageFaults, majorPageFaults } = usage.memory;
  const availableBytes = Number.isFinite(limitBytes) ? Math.max(0, limitBytes - workingSetBytes) : undefined;
  const memory: Memory = {
    time,
    availableBytes,
    usageBytes,
    workingSetBytes,
    rssBytes,
    pageFaults,
    majorPageFaults,
  };
  return { cpu: { time, usageNanoCores: nanoCores, usageCoreNanoSeconds: usage.cpuNs }, memory };
}

/** Whole seconds, as times are written everywhere in the API. */
export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
