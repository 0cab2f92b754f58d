import { join } from 'node:path';
import { readMeminfo, readSystemFile } from '../node/index.ts';
import type { Observation } from './signals.ts';

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
