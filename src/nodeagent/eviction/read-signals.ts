import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { readMeminfo, readSystemFile } from '../node/index.ts';
import type { EvictionSignal } from '../options/index.ts';
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

/** Folder of control groups below the machine's root folder. */
const mount = 'sys/fs/cgroup';

/**
 * Available memory of a control group (`/` for the whole machine): its limit, or the machine's memory, less the working
 * set. Undefined when there is no such group.
 */
export async function readMemory(root: string, group: string): Promise<Observation | undefined> {
  const meminfo = await readSystemFile(join(root, 'proc/meminfo'));
  const total = readMeminfo(meminfo, 'MemTotal');
  const first = join(root, mount, 'memory', group);
  const usage = await readSystemFile(join(first, 'memory.usage_in_bytes'));
  if (usage !== '') {
    const limit = await readSystemFile(join(first, 'memory.limit_in_bytes'));
    const stat = await readSystemFile(join(first, 'memory.stat'));
    return observe({ total, limit, usedBytes: Number(usage), inactive: statOf(stat, 'total_inactive_file') });
  }
  const second = join(root, mount, group);
  const stat = await readSystemFile(join(second, 'memory.stat'));
  const inactive = statOf(stat, 'inactive_file');
  if (group === '/') {
    // The root group of version 2 has no `memory.current`.
    const usedBytes = total - readMeminfo(meminfo, 'MemFree');
    return total === 0 ? undefined : observe({ total, limit: '', usedBytes, inactive });
  }
  const current = await readSystemFile(join(second, 'memory.current'));
  if (current === '') return undefined;
  const limit = await readSystemFile(join(second, 'memory.max'));
  return observe({ total, limit, usedBytes: Number(current), inactive });
}

interface MemoryFigures {
  readonly total: number;
  /** Empty, `max` or more than the machine has: no limit. */
  readonly limit: string;
  readonly usedBytes: number;
  readonly inactive: number;
}

function observe({ total, limit, usedBytes, inactive }: MemoryFigures): Observation {
  const limitBytes = limit === '' || limit === 'max' ? total : Math.min(Number(limit), total);
  const workingSetBytes = Math.max(0, usedBytes - inactive);
  return { available: Math.max(0, limitBytes - workingSetBytes), capacity: limitBytes, usage: usedBytes };
}

function statOf(stat: string, name: string): number {
  const line = stat.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

/** Processes and threads of a control group and those in it; undefined when there is no such group. */
export async function readGroupProcesses(root: string, group: string): Promise<number | undefined> {
  for (const folder of [join(mount, 'pids'), mount]) {
    const text = await readSystemFile(join(root, folder, group, 'pids.current'));
    if (text !== '') return Number(text);
  }
  return undefined;
}
