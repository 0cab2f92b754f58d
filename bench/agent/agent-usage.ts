import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMicros, residentMegabytes } from '../process-usage.ts';

/** What a process costs while it has nothing to do. */
export interface IdleUsage {
  readonly pods: number;
  /** Megabytes of 10^6 bytes. */
  readonly residentMegabytes: number;
  /** The same with shared pages counted in parts, one for each process that has them. */
  readonly proportionalMegabytes: number;
  /** Part of one core, in percent. */
  readonly cpuPercent: number;
}

/** Looks at a process for a while. */
export async function measureIdle(pid: number, pods: number, periodMs: number): Promise<IdleUsage> {
  const startedAt = performance.now();
  const before = await cpuMicros(pid);
  await delay(periodMs);
  const micros = (await cpuMicros(pid)) - before;
  const elapsedMs = performance.now() - startedAt;
  return {
    pods,
    residentMegabytes: await residentMegabytes(pid),
    proportionalMegabytes: await proportionalMegabytes(pid),
    cpuPercent: micros / elapsedMs / 10,
  };
}

async function proportionalMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}
