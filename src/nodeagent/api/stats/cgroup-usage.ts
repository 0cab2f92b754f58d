import { readdir, stat } from 'node:fs/promises';
import type { HostFiles } from './host-files.ts';

/** What the processes of a control group use, those of groups below it included. */
export interface CgroupUsage {
  /** When this was measured, since the Unix epoch. */
  readonly atMs: number;
  /** When the group was made. */
  readonly startedAtMs: number;
  /** CPU time since then; `user` and `system` are coarser. */
  readonly cpuNs: number;
  readonly cpuUserNs: number;
  readonly cpuSystemNs: number;
  readonly memory: CgroupMemory;
  /** Processes and threads; undefined where they are not counted. */
  readonly threads: number | undefined;
  readonly maxThreads: number | undefined;
  readonly cpuShares: number | undefined;
  readonly cpuPeriodUs: number | undefined;
}

/** Waits of a control group's processes for its quota (info.v1.CpuCFS); the time is in nanoseconds. */
export interface CgroupThrottling {
  readonly periods: number;
  readonly throttled_periods: number;
  readonly throttled_time: number;
}

/** Memory that the processes of a control group use. */
export interface CgroupMemory {
  readonly usageBytes: number;
  readonly maxUsageBytes: number;
  /** Without what the kernel can take back at once. */
  readonly workingSetBytes: number;
  readonly rssBytes: number;
  readonly cacheBytes: number;
  readonly swapBytes: number;
  readonly mappedFileBytes: number;
  readonly pageFaults: number;
  readonly majorPageFaults: number;
  /** Of the group's own processes only. */
  readonly ownPageFaults: number;
  readonly ownMajorPageFaults: number;
  /** How often the bound was hit. */
  readonly failures: number;
  /** Infinite without a bound. */
  readonly limitBytes: number;
  readonly reservationBytes: number;
  readonly swapLimitBytes: number;
}

const mount = '/sys/fs/cgroup';
/** Ticks of the clock that CPU times of version 1 are counted in, per second. */
const ticksPerSecond = 100;
/** Larger limits mean unlimited: the kernel writes the largest number of pages. */
const unboundedBytes = 2 ** 62;

/** Reads control groups of version 1 (a hierarchy per controller) and 2 (one for all). */
export class CgroupReader {
  readonly #files: HostFiles;
  readonly #nowMs: () => number;
  #isUnified: Promise<boolean> | undefined;

  constructor(files: HostFiles, nowMs: () => number) {
    this.#files = files;
    this.#nowMs = nowMs;
  }

  /** Undefined when there is no such group. `path` begins with a slash. */
  async read(path: string): Promise<CgroupUsage | undefined> {
    this.#isUnified ??= this.#files
      .text(`${mount}/cgroup.controllers`)
      .then((controllers) => controllers !== undefined);
    const isUnified = await this.#isUnified;
    const folder = isUnified ? `${mount}${path}` : `${mount}/memory${path}`;
    const made = await stat(this.#files.resolve(folder)).catch(() => undefined);
    if (made === undefined) return undefined;
    const usage = isUnified ? await this.#readUnified(path) : await this.#readSplit(path);
    return { atMs: this.#nowMs(), startedAtMs: made.mtimeMs, ...usage };
  }

  /** Ids of the group's own processes. */
  async processes(path: string): Promise<readonly string[]> {
    const folder = (await this.#isUnified) ? `${mount}${path}` : `${mount}/memory${path}`;
    return (await this.#files.text(`${folder}/cgroup.procs`))?.split('\n').filter((id) => id !== '') ?? [];
  }

  /** Paths of the groups right below a group, sorted. */
  async children(path: string): Promise<readonly string[]> {
    const folder = (await this.#isUnified) ? `${mount}${path}` : `${mount}/memory${path}`;
    const entries = await readdir(this.#files.resolve(folder), { withFileTypes: true }).catch(() => []);
    const parent = path === '/' ? '' : path;
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`)
      .sort();
  }

  /** How often processes of a group had to wait because its quota was used up. */
  async throttling(path: string): Promise<CgroupThrottling> {
    const isUnified = await this.#isUnified;
    const file = isUnified ? `${mount}${path}/cpu.stat` : `${mount}/cpu${path}/cpu.stat`;
    const stat = await this.#files.pairs(file);
    return {
      periods: stat.get('nr_periods') ?? 0,
      throttled_periods: stat.get('nr_throttled') ?? 0,
      throttled_time: stat.get('throttled_time') ?? (stat.get('throttled_usec') ?? 0) * 1000,
    };
  }

  /** CPU time by processor; empty where it is not counted. */
  async perProcessorNs(path: string): Promise<readonly number[]> {
    const text = await this.#files.text(`${mount}/cpuacct${path}/cpuacct.usage_percpu`);
    return text === undefined || text === '' ? [] : text.split(/\s+/).map(Number);
  }

  /** Processors that a group's processes may run on, as the kernel lists them; undefined where they are not bound. */
  async processors(path: string): Promise<string | undefined> {
    const isUnified = await this.#isUnified;
    const folder = isUnified ? `${mount}${path}` : `${mount}/cpuset${path}`;
    return (
      (await this.#files.text(`${folder}/cpuset.cpus.effective`)) ??
      (await this.#files.text(`${folder}/cpuset.cpus`))
    );
  }

  async #readSplit(path: string): Promise<Omit<CgroupUsage, 'atMs' | 'startedAtMs'>> {
    const files = this.#files;
    const at = (controller: string, file: string): string => `${mount}/${controller}${path}/${file}`;
    const [cpuNs, ticks, memory, threads, maxThreads, cpuShares, cpuPeriodUs] = await Promise.all([
      files.number(at('cpuacct', 'cpuacct.usage')),
      files.pairs(at('cpuacct', 'cpuacct.stat')),
      this.#splitMemory(`${mount}/memory${path}`),
      files.number(at('pids', 'pids.current')),
      files.number(at('pids', 'pids.max')),
      files.number(at('cpu', 'cpu.shares')),
      files.number(at('cpu', 'cpu.cfs_period_us')),
    ]);
    const nsOf = (name: string): number => ((ticks.get(name) ?? 0) * 1e9) / ticksPerSecond;
    return {
      cpuNs: cpuNs ?? 0,
      cpuUserNs: nsOf('user'),
      cpuSystemNs: nsOf('system'),
      memory,
      threads,
      maxThreads,
      cpuShares,
      cpuPeriodUs,
    };
  }

  async #splitMemory(folder: string): Promise<CgroupMemory> {
    const files = this.#files;
    const [stats, usage, max, failures, limit, reservation, swapLimit] = await Promise.all([
      files.pairs(`${folder}/memory.stat`),
      files.number(`${folder}/memory.usage_in_bytes`),
      files.number(`${folder}/memory.max_usage_in_bytes`),
      files.number(`${folder}/memory.failcnt`),
      files.number(`${folder}/memory.limit_in_bytes`),
      files.number(`${folder}/memory.soft_limit_in_bytes`),
      files.number(`${folder}/memory.memsw.limit_in_bytes`),
    ]);
    const of = (name: string): number => stats.get(name) ?? 0;
    const usageBytes = usage ?? 0;
    return {
      usageBytes,
      maxUsageBytes: max ?? 0,
      workingSetBytes: Math.max(0, usageBytes - of('total_inactive_file')),
      rssBytes: of('total_rss'),
      cacheBytes: of('total_cache'),
      swapBytes: of('total_swap'),
      mappedFileBytes: of('total_mapped_file'),
      pageFaults: of('total_pgfault'),
      majorPageFaults: of('total_pgmajfault'),
      ownPageFaults: of('pgfault'),
      ownMajorPageFaults: of('pgmajfault'),
      failures: failures ?? 0,
      limitBytes: bounded(limit),
      reservationBytes: bounded(reservation),
      swapLimitBytes: bounded(swapLimit),
    };
  }

  async #readUnified(path: string): Promise<Omit<CgroupUsage, 'atMs' | 'startedAtMs'>> {
    const files = this.#files;
    const folder = `${mount}${path}`;
    const [cpu, memory, threads, maxThreads, weight, max] = await Promise.all([
      files.pairs(`${folder}/cpu.stat`),
      this.#unifiedMemory(folder),
      files.number(`${folder}/pids.current`),
      files.number(`${folder}/pids.max`),
      files.number(`${folder}/cpu.weight`),
      files.text(`${folder}/cpu.max`),
    ]);
    const nsOf = (name: string): number => (cpu.get(name) ?? 0) * 1000;
    const periodUs = Number(max?.split(' ')[1]);
    return {
      cpuNs: nsOf('usage_usec'),
      cpuUserNs: nsOf('user_usec'),
      cpuSystemNs: nsOf('system_usec'),
      memory,
      threads,
      maxThreads,
      // The inverse of the conversion from shares by runtimes.
      cpuShares: weight === undefined ? undefined : Math.round(2 + ((weight - 1) * 262_142) / 9999),
      cpuPeriodUs: Number.isNaN(periodUs) ? undefined : periodUs,
    };
  }

  /** The root group has no memory statistics: those of the machine replace them. */
  async #unifiedMemory(folder: string): Promise<CgroupMemory> {
    const files = this.#files;
    const [stats, usage, peak, events, limit, low, swap, swapLimit] = await Promise.all([
      files.pairs(`${folder}/memory.stat`),
      files.number(`${folder}/memory.current`),
      files.number(`${folder}/memory.peak`),
      files.pairs(`${folder}/memory.events`),
      files.number(`${folder}/memory.max`),
      files.number(`${folder}/memory.low`),
      files.number(`${folder}/memory.swap.current`),
      files.number(`${folder}/memory.swap.max`),
    ]);
    const of = (name: string): number => stats.get(name) ?? 0;
    const usageBytes = usage ?? (await this.#machineUsageBytes());
    const [faults, majorFaults] = [of('pgfault'), of('pgmajfault')];
    return {
      usageBytes,
      maxUsageBytes: peak ?? 0,
      workingSetBytes: Math.max(0, usageBytes - of('inactive_file')),
      rssBytes: of('anon'),
      cacheBytes: of('file'),
      swapBytes: swap ?? 0,
      mappedFileBytes: of('file_mapped'),
      pageFaults: faults,
      majorPageFaults: majorFaults,
      ownPageFaults: faults,
      ownMajorPageFaults: majorFaults,
      failures: events.get('max') ?? 0,
      limitBytes: bounded(limit),
      reservationBytes: low ?? 0,
      swapLimitBytes: bounded(swapLimit),
    };
  }

  async #machineUsageBytes(): Promise<number> {
    const memory = await this.#files.pairs('/proc/meminfo');
    return ((memory.get('MemTotal') ?? 0) - (memory.get('MemFree') ?? 0)) * 1024;
  }
}

function bounded(limitBytes: number | undefined): number {
  return limitBytes === undefined || limitBytes >= unboundedBytes ? Number.POSITIVE_INFINITY : limitBytes;
}
