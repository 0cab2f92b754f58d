import { dirname, join } from 'node:path';
import type { Pod } from '../../../apis/types/core-v1.ts';
import { podLogsDirectory } from '../../container-config/index.ts';
import type { FilesystemUsage } from '../../runtime/index.ts';
import type { VolumeUsage } from '../agent-view.ts';
import type { StatsSources } from './agent-stats.ts';
import type { CgroupUsage } from './cgroup-usage.ts';
import { type FileSystemState, fileSystemState, folderUsage } from './file-system.ts';
import { interfaceUsages, mainInterface } from './network.ts';
import { listRunningPods, type RunningContainer, type RunningPod } from './pod-inventory.ts';

export interface SummaryOptions {
  readonly onlyCpuAndMemory: boolean;
}

/** How long the first rates of CPU time take to form. */
const firstRateMs = 100;

/** Figures of the node and of each pod that runs (`facts` of stats.v1alpha1.Summary); nothing is kept in between. */
export async function summarize(sources: StatsSources, options: SummaryOptions): Promise<unknown> {
  const pods = await listRunningPods(sources.runtime, sources.dialect);
  const groups = await readGroups(sources, pods);
  if (options.onlyCpuAndMemory) {
    return {
      node: nodeBasics(sources, groups),
      pods: pods.map((pod) => podBasics(sources, pod, groups.get(pod.uid))),
    };
  }
  const rootFs = await fileSystemState(sources.config.rootDir);
  const [node, podList] = await Promise.all([
    describeNode(sources, groups, rootFs),
    Promise.all(pods.map((pod) => describePod(sources, pod, groups.get(pod.uid), rootFs))),
  ]);
  return { node, pods: podList };
}

/** Usage of control groups: of the machine (`/`), of groups of the agent by name, of pods by uid. */
type Groups = ReadonlyMap<string, MeasuredGroup>;

interface MeasuredGroup {
  readonly usage: CgroupUsage;
  readonly nanoCores: number | undefined;
}

async function readGroups(sources: StatsSources, pods: readonly RunningPod[]): Promise<Groups> {
  const wanted = [...systemGroups(sources), ...podGroups(sources, pods)];
  const first = await measure(sources, wanted);
  if (first.every(([, { nanoCores }]) => nanoCores !== undefined)) return new Map(first);
  await new Promise<void>((resolve) => {
    sources.clock.setTimer(firstRateMs, resolve);
  });
  return new Map(await measure(sources, wanted));
}

type Wanted = readonly (readonly [name: string, path: string])[];

async function measure(sources: StatsSources, wanted: Wanted): Promise<[string, MeasuredGroup][]> {
  const found = await Promise.all(
    wanted.map(async ([name, path]): Promise<[string, MeasuredGroup] | undefined> => {
      const usage = await sources.cgroups.read(path);
      if (usage === undefined) return undefined;
      return [name, { usage, nanoCores: sources.groupRates.rate(path, usage) }];
    }),
  );
  return found.filter((each) => each !== undefined);
}

function systemGroups({ config, paths }: StatsSources): Wanted {
  const named: (readonly [string, string | undefined])[] = [
    ['/', '/'],
    ['nodeagent', config.nodeagentCgroups],
    ['runtime', config.runtimeCgroups],
    ['misc', config.systemCgroups],
    ['pods', paths.pods],
  ];
  return named.flatMap(([name, path]) => (path === undefined || path === '' ? [] : [[name, path] as const]));
}

function podGroups({ paths, podByUid }: StatsSources, pods: readonly RunningPod[]): Wanted {
  return pods.flatMap(({ uid }) => {
    const pod = podByUid(uid);
    const path = pod === undefined ? undefined : paths.pod(pod);
    return path === undefined ? [] : [[uid, path] as const];
  });
}

function nodeBasics({ nodeName, dialect }: StatsSources, groups: Groups) {
  const machine = groups.get('/');
  const systemContainers = [...groups]
    .filter(([name]) => ['nodeagent', 'runtime', 'misc', 'pods'].includes(name))
    .map(([name, group]) => ({
      name: dialect.spell(name),
      startTime: timeOf(group.usage.startedAtMs),
      ...cpuAndMemory(group),
    }));
  if (machine === undefined) return { nodeName, systemContainers };
  return {
    nodeName,
    systemContainers,
    startTime: timeOf(machine.usage.startedAtMs),
    ...cpuAndMemory(machine),
  };
}

async function describeNode(sources: StatsSources, groups: Groups, rootFs: FileSystemState | undefined) {
  const { files, clock, images } = sources;
  const time = timeOf(clock.nowMs());
  const [network, imageFs, maxpid, load, memory] = await Promise.all([
    describeNetwork(sources),
    images.imageFsInfo().catch(() => []),
    files.number('/proc/sys/kernel/pid_max'),
    files.text('/proc/loadavg'),
    files.pairs('/proc/meminfo'),
  ]);
  const basics = withMachineMemory(nodeBasics(sources, groups), (memory.get('MemTotal') ?? 0) * 1024);
  const curproc = Number(load?.split(' ')[3]?.split('/')[1] ?? Number.NaN);
  return {
    ...basics,
    network,
    ...(rootFs === undefined ? {} : { fs: describeFs(rootFs, time) }),
    ...(imageFs[0] === undefined ? {} : { runtime: { imageFs: await describeUsage(imageFs[0], rootFs) } }),
    rlimit: { time, maxpid, ...(Number.isNaN(curproc) ? {} : { curproc }) },
  };
}

/** What the machine has bounds the node, whatever its root group says. */
function withMachineMemory<T extends object>(basics: T, capacityBytes: number): T {
  if (!('memory' in basics)) return basics;
  const { time, availableBytes: _, ...rest } = basics.memory as Memory; // made by `cpuAndMemory`
  const availableBytes = Math.max(0, capacityBytes - rest.workingSetBytes);
  return { ...basics, memory: { time, availableBytes, ...rest } };
}

async function describeNetwork({ files, clock }: StatsSources) {
  const all = await interfaceUsages(files);
  const shown = ({ name, rxBytes, rxErrors, txBytes, txErrors }: (typeof all)[number]) => ({
    name,
    rxBytes,
    rxErrors,
    txBytes,
    txErrors,
  });
  const main = await mainInterface(files, all);
  return {
    time: timeOf(clock.nowMs()),
    ...(main === undefined ? {} : shown(main)),
    interfaces: all.map(shown),
  };
}

function podBasics(sources: StatsSources, pod: RunningPod, group: MeasuredGroup | undefined) {
  return {
    podRef: { name: pod.name, namespace: pod.namespace, uid: pod.uid },
    startTime: timeOf(pod.sandbox.createdAtMs),
    containers: pod.containers.map((container) => containerBasics(sources, container)),
    ...(group === undefined ? {} : cpuAndMemory(group)),
  };
}

async function describePod(
  sources: StatsSources,
  running: RunningPod,
  group: MeasuredGroup | undefined,
  rootFs: FileSystemState | undefined,
) {
  const pod = sources.podByUid(running.uid);
  const volumes = await measureVolumes(sources, running);
  const containers = await Promise.all(
    running.containers.map((container) => describeContainer(sources, container, pod, rootFs)),
  );
  const threads = group?.usage.threads;
  return {
    ...podBasics(sources, running, group),
    containers,
    ...(volumes.length === 0 ? {} : describeVolumes(volumes, containers, rootFs)),
    ...(threads === undefined ? {} : { process_stats: { process_count: threads } }),
  };
}

/** Nothing of a pod that has not lived for a period yet, as in release 1.20; a period of 0 turns all of it off. */
async function measureVolumes(
  { volumes, config, clock }: StatsSources,
  { uid, sandbox }: RunningPod,
): Promise<readonly VolumeUsage[]> {
  const periodMs = config.volumeStatsAggPeriodMs;
  const isOldEnough = clock.nowMs() - sandbox.createdAtMs >= periodMs;
  if (volumes === undefined || periodMs <= 0 || !isOldEnough) return [];
  return volumes.usage(uid).catch(() => []);
}

function containerBasics({ containerRates }: StatsSources, { name, container, stats }: RunningContainer) {
  const { cpu, memory } = stats ?? {};
  const sample = cpu && { atMs: cpu.atMs, cpuNs: cpu.usageCoreNs };
  const usageNanoCores = sample && containerRates.rate(container.id, sample);
  return {
    name,
    startTime: timeOf(container.createdAtMs),
    cpu: cpu && { time: timeOf(cpu.atMs), usageNanoCores, usageCoreNanoSeconds: cpu.usageCoreNs },
    memory: memory && { time: timeOf(memory.atMs), workingSetBytes: memory.workingSetBytes },
  };
}

async function describeContainer(
  sources: StatsSources,
  running: RunningContainer,
  pod: Pod | undefined,
  rootFs: FileSystemState | undefined,
) {
  const layer = running.stats?.writableLayer;
  return {
    ...containerBasics(sources, running),
    ...(layer === undefined ? {} : { rootfs: await describeUsage(layer, rootFs) }),
    ...(pod === undefined || rootFs === undefined
      ? {}
      : { logs: await describeLogs(sources, pod, running.name, rootFs) }),
  };
}

async function describeLogs(sources: StatsSources, pod: Pod, name: string, fs: FileSystemState) {
  const used = await folderUsage(sources.files.resolve(join(podLogsDirectory(pod), name)));
  return { ...describeFs(fs, timeOf(sources.clock.nowMs())), ...used };
}

/** What containers write outside their volumes is the pod's as well. */
function describeVolumes(
  volumes: readonly VolumeUsage[],
  containers: readonly { readonly rootfs?: FsStats; readonly logs?: FsStats }[],
  rootFs: FileSystemState | undefined,
) {
  const shown = volumes.map(({ name, atMs, claim, ...usage }) => ({
    time: timeOf(atMs),
    availableBytes: usage.availableBytes,
    capacityBytes: usage.capacityBytes,
    usedBytes: usage.usedBytes,
    inodesFree: usage.inodesFree,
    inodes: usage.inodes,
    inodesUsed: usage.inodesUsed,
    name,
    ...(claim === undefined ? {} : { pvcRef: { name: claim.name, namespace: claim.namespace } }),
  }));
  const local: readonly Partial<Pick<FsStats, 'usedBytes' | 'inodesUsed'>>[] = [
    ...volumes.filter(({ claim }) => claim === undefined),
    ...containers.flatMap(({ rootfs, logs }) => [rootfs ?? {}, logs ?? {}]),
  ];
  const sum = (field: 'usedBytes' | 'inodesUsed'): number =>
    local.reduce((total, each) => total + (each[field] ?? 0), 0);
  if (rootFs === undefined) return { volume: shown };
  const storage = describeFs(rootFs, shown[0]?.time ?? '');
  return {
    volume: shown,
    'ephemeral-storage': { ...storage, usedBytes: sum('usedBytes'), inodesUsed: sum('inodesUsed') },
  };
}

interface FsStats {
  readonly time: string;
  readonly availableBytes?: number;
  readonly capacityBytes?: number;
  readonly usedBytes: number;
  readonly inodesFree?: number;
  readonly inodes?: number;
  readonly inodesUsed: number;
}

function describeFs(fs: FileSystemState, time: string): FsStats {
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
async function describeUsage(usage: FilesystemUsage, rootFs: FileSystemState | undefined): Promise<FsStats> {
  const { atMs, mountpoint, usedBytes, inodesUsed } = usage;
  const own = mountpoint === '' ? undefined : await nearestFileSystem(mountpoint);
  const fs = own ?? rootFs;
  const time = timeOf(atMs);
  return fs === undefined
    ? { time, usedBytes, inodesUsed }
    : { ...describeFs(fs, time), usedBytes, inodesUsed };
}

/** The place itself may be gone, or hidden; the one above is on the same file system. */
async function nearestFileSystem(path: string): Promise<FileSystemState | undefined> {
  return (await fileSystemState(path)) ?? (await fileSystemState(dirname(path)));
}

interface Memory {
  readonly time: string;
  readonly availableBytes: number | undefined;
  readonly usageBytes: number;
  readonly workingSetBytes: number;
  readonly rssBytes: number;
  readonly pageFaults: number;
  readonly majorPageFaults: number;
}

function cpuAndMemory({ usage, nanoCores }: MeasuredGroup) {
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
function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
