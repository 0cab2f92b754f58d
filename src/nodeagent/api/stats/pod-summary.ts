import { join } from 'node:path';
import type { Pod } from '../../../apis/types/core-v1.ts';
import { localVolumes, podLogsDirectory } from '../../container-config/index.ts';
import type { VolumeUsage } from '../agent-view.ts';
import { type FileSystemState, folderUsage } from './file-system.ts';
import { type Groups, measuresContainers } from './measured-groups.ts';
import { describeInterfaces, podInterfaces } from './network.ts';
import type { RunningContainer, RunningPod } from './pod-inventory.ts';
import type { StatsSources } from './stats-sources.ts';
import { cpuAndMemory, describeFs, describeUsage, type FsStats, timeOf } from './summary-figures.ts';

/** What runtimes call the interface of a pod. */
const podInterface = 'eth0';

/** Who a pod is, and its processors and memory. */
export function podBasics(sources: StatsSources, pod: RunningPod, groups: Groups) {
  const group = groups.get(pod.uid);
  return {
    podRef: { name: pod.name, namespace: pod.namespace, uid: pod.uid },
    startTime: timeOf(pod.sandbox.createdAtMs),
    containers: pod.containers.map((container) => containerBasics(sources, container, groups)),
    ...(group === undefined ? {} : cpuAndMemory(group)),
  };
}

/** All figures of a pod (`stats.v1alpha1.PodStats`). */
export async function describePod(
  sources: StatsSources,
  running: RunningPod,
  groups: Groups,
  rootFs: FileSystemState | undefined,
) {
  const pod = sources.podByUid(running.uid);
  const volumes = await measureVolumes(sources, running);
  const nowMs = sources.clock.nowMs();
  const containers = await Promise.all(
    running.containers.map((container) => describeContainer(sources, container, { pod, rootFs, groups })),
  );
  const threads = groups.get(running.uid)?.usage.threads;
  const network = await describeNetwork(sources, running);
  return {
    ...podBasics(sources, running, groups),
    containers,
    ...(network === undefined ? {} : { network }),
    ...(volumes === undefined
      ? {}
      : describeStorage(volumes, { pod, containers, rootFs, time: timeOf(nowMs) })),
    ...(threads === undefined ? {} : { process_stats: { process_count: threads } }),
  };
}

/** Undefined for a pod that has not lived for a period yet, as in release 1.20; a period of 0 turns all of it off. */
async function measureVolumes(
  { volumes, config, clock }: StatsSources,
  { uid, sandbox }: RunningPod,
): Promise<readonly VolumeUsage[] | undefined> {
  const periodMs = config.volumeStatsAggPeriodMs;
  const isOldEnough = clock.nowMs() - sandbox.createdAtMs >= periodMs;
  if (volumes === undefined || periodMs <= 0 || !isOldEnough) return undefined;
  return volumes.usage(uid).catch(() => undefined);
}

/** What the pod's sandbox has sent and received, of a pod with a network of its own. */
async function describeNetwork(sources: StatsSources, running: RunningPod) {
  if (!measuresContainers(sources.config)) return undefined;
  const interfaces = await podInterfaces(sources, running);
  const main = interfaces?.find(({ name }) => name === podInterface);
  const time = timeOf(sources.clock.nowMs());
  return interfaces && describeInterfaces(interfaces, { main, time });
}

function containerBasics(
  { containerRates }: StatsSources,
  { name, container, stats }: RunningContainer,
  groups: Groups,
) {
  const group = groups.get(container.id);
  const startTime = timeOf(container.createdAtMs);
  if (group !== undefined) return { name, startTime, ...cpuAndMemory(group) };
  const { cpu, memory } = stats ?? {};
  const sample = cpu && { atMs: cpu.atMs, cpuNs: cpu.usageCoreNs };
  const usageNanoCores = sample && containerRates.rate(container.id, sample);
  return {
    name,
    startTime,
    cpu: cpu && { time: timeOf(cpu.atMs), usageNanoCores, usageCoreNanoSeconds: cpu.usageCoreNs },
    memory: memory && { time: timeOf(memory.atMs), workingSetBytes: memory.workingSetBytes },
  };
}

async function describeContainer(
  sources: StatsSources,
  running: RunningContainer,
  {
    pod,
    rootFs,
    groups,
  }: {
    readonly pod: Pod | undefined;
    readonly rootFs: FileSystemState | undefined;
    readonly groups: Groups;
  },
) {
  const layer = running.stats?.writableLayer;
  return {
    ...containerBasics(sources, running, groups),
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

/** The pod's local storage are volumes on the node's disk, and what containers write outside of volumes. */
function describeStorage(
  volumes: readonly VolumeUsage[],
  {
    pod,
    containers,
    rootFs,
    time,
  }: {
    readonly pod: Pod | undefined;
    readonly containers: readonly { readonly rootfs?: FsStats; readonly logs?: FsStats }[];
    readonly rootFs: FileSystemState | undefined;
    readonly time: string;
  },
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
  const names: ReadonlySet<string> = pod === undefined ? new Set() : localVolumes(pod);
  const local: readonly Partial<Pick<FsStats, 'usedBytes' | 'inodesUsed'>>[] = [
    ...volumes.filter(({ name }) => names.has(name)),
    ...containers.flatMap(({ rootfs, logs }) => [rootfs ?? {}, logs ?? {}]),
  ];
  const sum = (field: 'usedBytes' | 'inodesUsed'): number =>
    local.reduce((total, each) => total + (each[field] ?? 0), 0);
  const volume = shown.length === 0 ? {} : { volume: shown };
  if (rootFs === undefined) return volume;
  const storage = describeFs(rootFs, shown[0]?.time ?? time);
  return {
    ...volume,
    'ephemeral-storage': { ...storage, usedBytes: sum('usedBytes'), inodesUsed: sum('inodesUsed') },
  };
}
