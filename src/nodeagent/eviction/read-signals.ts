import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { readSystemFile } from '../node/index.ts';
import type { EvictionSignal } from '../options/index.ts';
import { readMemory } from './read-memory.ts';
import type { Observation, Observations } from './signals.ts';

/** Paths that the eviction signals are measured at. */
export interface SignalSources {
  /** Root folder of the machine; another one is for tests. */
  readonly root: string;
  /** The agent's own folder, whose file system is the node's. */
  readonly rootDirectory: string;
  /** Control group of all pods, below the mount of the groups. */
  readonly podsGroup: string;
  /** Folder that the runtime keeps images in. */
  readonly imageFolder: string;
}

/** The observed signals, and whether images have a file system of their own. */
export interface SignalReadings {
  readonly observations: Observations;
  readonly hasImageFs: boolean;
}

/** Reads the signals that are asked for; what cannot be read is left out. */
export async function readSignals(
  desired: ReadonlySet<EvictionSignal>,
  { root, rootDirectory, podsGroup, imageFolder }: SignalSources,
): Promise<SignalReadings> {
  const found = new Map<EvictionSignal, Observation>();
  const add = (signal: EvictionSignal, observed: Observation | undefined): void => {
    if (observed !== undefined && observed.capacity > 0) found.set(signal, observed);
  };
  if (desired.has('memory.available')) add('memory.available', await readMemory(root, '/'));
  if (desired.has('allocatableMemory.available')) {
    add('allocatableMemory.available', await readMemory(root, podsGroup));
  }
  if (desired.has('pid.available')) add('pid.available', await readProcesses(root));
  const folders = { nodefs: rootDirectory, imagefs: imageFolder };
  for (const name of ['nodefs', 'imagefs'] as const) {
    if (!desired.has(`${name}.available`) && !desired.has(`${name}.inodesFree`)) continue;
    const disk = await readDisk(folders[name]);
    add(`${name}.available`, disk?.space);
    add(`${name}.inodesFree`, disk?.inodes);
  }
  return { observations: found, hasImageFs: await areApart(rootDirectory, imageFolder) };
}

/** Threads count as processes, as for the kernel's limit. */
async function readProcesses(root: string): Promise<Observation> {
  const capacity = Number(await readSystemFile(join(root, 'proc/sys/kernel/pid_max')));
  const running = Number((await readSystemFile(join(root, 'proc/loadavg'))).split(/[ /]/)[4]);
  return { capacity, available: Math.max(0, capacity - (Number.isFinite(running) ? running : 0)) };
}

async function readDisk(
  folder: string,
): Promise<{ readonly space: Observation; readonly inodes: Observation } | undefined> {
  try {
    const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
    return {
      space: { available: bavail * bsize, capacity: blocks * bsize },
      inodes: { available: ffree, capacity: files },
    };
  } catch {
    return undefined; // the folder does not exist yet
  }
}

async function areApart(one: string, other: string): Promise<boolean> {
  if (one === other) return false;
  try {
    const [first, second] = await Promise.all([stat(one), stat(other)]);
    return first.dev !== second.dev;
  } catch {
    return false; // unknown: taken as the same file system
  }
}
