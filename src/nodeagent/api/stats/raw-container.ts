import { posix } from 'node:path';
import type { CgroupUsage } from './cgroup-usage.ts';
import { mountedDevices } from './device-metrics.ts';
import { interfaceUsages, mainInterface } from './network.ts';
import type { StatsSources } from './stats-sources.ts';

/** What a measurement of a control group shows (`stats` of info.v1.ContainerInfo). */
export interface RawSample {
  readonly atMs: number;
  readonly stats: Readonly<Record<string, unknown>>;
}

/** The value for "unlimited", as version 1 writes it: readers of JSON use signed 64-bit numbers. */
const unboundedBytes = 2 ** 63 - 4096;

/** The group of a name, with `.` and `..` resolved; it never leads out of the hierarchy. */
export const groupPath = (name: string): string => posix.resolve('/', name.replaceAll('\0', ''));

/** Bounds of a control group (info.v1.ContainerSpec). */
export async function rawSpec({ cgroups }: StatsSources, path: string, usage: CgroupUsage): Promise<unknown> {
  const { limitBytes, reservationBytes, swapLimitBytes } = usage.memory;
  const mask = await cgroups.processors(path);
  return {
    creation_time: new Date(usage.startedAtMs).toISOString(),
    has_cpu: true,
    cpu: {
      limit: usage.cpuShares ?? 0,
      max_limit: 0,
      ...(mask === undefined ? {} : { mask }),
      ...(usage.cpuPeriodUs === undefined ? {} : { period: usage.cpuPeriodUs }),
    },
    has_memory: true,
    memory: {
      limit: bounded(limitBytes),
      reservation: bounded(reservationBytes),
      swap_limit: bounded(swapLimitBytes),
    },
    has_hugetlb: false,
    has_network: path === '/',
    has_processes: true,
    processes: usage.maxThreads === undefined ? {} : { limit: bounded(usage.maxThreads) },
    has_filesystem: path === '/',
    has_diskio: false,
    has_custom_metrics: false,
  };
}

/** Measures a control group; network and file systems are those of the machine, and shown with the root only. */
export async function rawSample(sources: StatsSources, path: string, usage: CgroupUsage): Promise<RawSample> {
  const { cgroups } = sources;
  const [throttling, perCpu, processes] = await Promise.all([
    cgroups.throttling(path),
    cgroups.perProcessorNs(path),
    cgroups.processes(path),
  ]);
  const { threads, maxThreads } = usage;
  const stats = {
    timestamp: new Date(usage.atMs).toISOString(),
    cpu: {
      usage: {
        total: usage.cpuNs,
        ...(perCpu.length === 0 ? {} : { per_cpu_usage: perCpu }),
        user: usage.cpuUserNs,
        system: usage.cpuSystemNs,
      },
      cfs: throttling,
      schedstat: { run_time: 0, runqueue_time: 0, run_periods: 0 },
      load_average: 0,
    },
    diskio: {},
    memory: rawMemory(usage),
    network: {
      ...(path === '/' ? await rawNetwork(sources) : { name: '', ...noTraffic }),
      ...connections,
    },
    processes: {
      process_count: processes.length,
      fd_count: 0,
      socket_count: 0,
      ...(threads === undefined ? {} : { threads_current: threads }),
      ...(maxThreads === undefined || !Number.isFinite(maxThreads) ? {} : { threads_max: maxThreads }),
    },
    ...(path === '/' ? { filesystem: await rawFilesystems(sources) } : {}),
    task_stats: { nr_sleeping: 0, nr_running: 0, nr_stopped: 0, nr_uninterruptible: 0, nr_io_wait: 0 },
  };
  return { atMs: usage.atMs, stats };
}

const bounded = (bytes: number): number => (Number.isFinite(bytes) ? bytes : unboundedBytes);

function rawMemory({ memory }: CgroupUsage) {
  return {
    usage: memory.usageBytes,
    max_usage: memory.maxUsageBytes,
    cache: memory.cacheBytes,
    rss: memory.rssBytes,
    swap: memory.swapBytes,
    mapped_file: memory.mappedFileBytes,
    working_set: memory.workingSetBytes,
    failcnt: memory.failures,
    // Release 1.20 has the fields, and does not count by NUMA node.
    container_data: { pgfault: memory.ownPageFaults, pgmajfault: memory.ownMajorPageFaults, numa_stats: {} },
    hierarchical_data: { pgfault: memory.pageFaults, pgmajfault: memory.majorPageFaults, numa_stats: {} },
  };
}

const noTraffic = {
  rx_bytes: 0,
  rx_packets: 0,
  rx_errors: 0,
  rx_dropped: 0,
  tx_bytes: 0,
  tx_packets: 0,
  tx_errors: 0,
  tx_dropped: 0,
} as const;

const tcp = Object.fromEntries(
  'Established SynSent SynRecv FinWait1 FinWait2 TimeWait Close CloseWait LastAck Listen Closing'
    .split(' ')
    .map((state) => [state, 0]),
);
const udp = { Listen: 0, Dropped: 0, RxQueued: 0, TxQueued: 0 } as const;
/** Release 1.20 has these fields, and counts no connections. */
const connections = { tcp, tcp6: tcp, udp, udp6: udp } as const;

async function rawNetwork({ files }: StatsSources) {
  const all = await interfaceUsages(files);
  const shown = (one: (typeof all)[number]) => ({
    name: one.name,
    rx_bytes: one.rxBytes,
    rx_packets: one.rxPackets,
    rx_errors: one.rxErrors,
    rx_dropped: one.rxDropped,
    tx_bytes: one.txBytes,
    tx_packets: one.txPackets,
    tx_errors: one.txErrors,
    tx_dropped: one.txDropped,
  });
  const main = await mainInterface(files, all);
  return { ...(main === undefined ? { name: '', ...noTraffic } : shown(main)), interfaces: all.map(shown) };
}

async function rawFilesystems({ files }: StatsSources) {
  const devices = await mountedDevices(files);
  return devices.map(({ device, state }) => ({
    device,
    type: 'vfs',
    capacity: state?.capacityBytes ?? 0,
    usage: state?.usedBytes ?? 0,
    base_usage: 0,
    available: state?.availableBytes ?? 0,
    has_inodes: (state?.inodes ?? 0) > 0,
    inodes: state?.inodes ?? 0,
    inodes_free: state?.inodesFree ?? 0,
  }));
}
