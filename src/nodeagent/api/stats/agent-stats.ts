import { join } from 'node:path';
import type { Pod, Volume } from '../../../apis/types/core-v1.ts';
import { podLogsDirectory } from '../../container-config/index.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import type { VolumeUsage } from '../agent-view.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import { cgroupPaths } from './cgroup-paths.ts';
import { CgroupReader } from './cgroup-usage.ts';
import { containerMetrics } from './container-metrics.ts';
import { CpuRates } from './cpu-rates.ts';
import { folderUsage } from './file-system.ts';
import { HostFiles } from './host-files.ts';
import { KeptValue } from './kept-value.ts';
import { machineSpec } from './machine-spec.ts';
import { RawContainers } from './raw-containers.ts';
import { resourceMetrics } from './resource-metrics.ts';
import type { StatsSources } from './stats-sources.ts';
import { type SummaryOptions, summarize } from './summary.ts';

/**
 * Figures of the node and its pods. They are measured when they are asked for and kept for `--housekeeping-interval`,
 * so that frequent requests cost no more than one in that time.
 */
export interface AgentStats {
  /** What `/stats/summary` shows (types: stats.v1alpha1.Summary); processors and memory alone are measured anew. */
  summary(options: SummaryOptions): Promise<unknown>;
  /** What `/metrics/resource` shows. */
  resourceMetrics(): Promise<string>;
  /** What `/metrics/cadvisor` shows. */
  containerMetrics(): Promise<string>;
  /** Brings those of the agent's metrics up to date that are looked up only when they are shown. */
  fillGauges(): Promise<void>;
  /** What `/spec/` shows of the machine. */
  machineSpec(): Promise<unknown>;
  /** What `/stats/` shows of control groups, however they are called. */
  readonly raw: Pick<RawContainers, 'describe' | 'describeTree'>;
  /** Group of a pod's container; undefined when pods get no groups of their own. */
  containerPath(pod: Pod, containerId: string): string | undefined;
}

const minGroupRateMs = 50;
const minContainerRateMs = 5000;

/** Opens the figures of one agent; nothing is read before the first question. */
export function createAgentStats(options: AgentServersOptions): AgentStats {
  const files = new HostFiles(options.hostRoot);
  const sources: StatsSources = {
    ...options,
    files,
    cgroups: new CgroupReader(files, () => options.clock.nowMs()),
    paths: cgroupPaths(options.config, options.dialect),
    groupRates: new CpuRates(minGroupRateMs),
    containerRates: new CpuRates(minContainerRateMs),
    podByUid: (uid) => options.view.pods().find(({ metadata }) => metadata.uid === uid),
  };
  const keep = <T>(measure: () => Promise<T>): KeptValue<T> =>
    new KeptValue({ maxAgeMs: options.config.housekeepingIntervalMs, clock: options.clock, measure });
  const summary = keep(() => summarize(sources, { onlyCpuAndMemory: false }));
  const ofResources = keep(() => resourceMetrics(sources));
  const ofContainers = keep(() => containerMetrics(sources));
  const gauges = keep(() => fillGauges(sources, options.metrics));
  return {
    summary: (what) => (what.onlyCpuAndMemory ? summarize(sources, what) : summary.get()),
    resourceMetrics: () => ofResources.get(),
    containerMetrics: () => ofContainers.get(),
    fillGauges: () => gauges.get(),
    machineSpec: () => machineSpec(sources),
    raw: new RawContainers(sources),
    containerPath(pod, containerId) {
      const path = sources.paths.pod(pod);
      return path === undefined ? undefined : sources.paths.container(path, containerId);
    },
  };
}

/**
 * Sets the gauges that show what the runtime runs, and how much room logs take. Does nothing when the runtime does not
 * answer.
 */
async function fillGauges(sources: StatsSources, metrics: AgentMetrics): Promise<void> {
  const found = await Promise.all([
    sources.runtime.listPodSandboxes({ state: 'ready' }),
    sources.runtime.listContainers(),
  ]).catch(() => undefined);
  if (found !== undefined) {
    const [sandboxes, containers] = found;
    metrics.set('nodeagent_running_pods', sandboxes.length);
    metrics.clear('nodeagent_running_containers');
    for (const [state, members] of Map.groupBy(containers, (container) => container.state)) {
      metrics.set('nodeagent_running_containers', members.length, [state]);
    }
  }
  await fillLogSizes(sources, metrics);
  await fillClaims(sources, metrics);
}

/** Values of claims, and where they come from. */
const claimGauges = {
  nodeagent_volume_stats_available_bytes: 'availableBytes',
  nodeagent_volume_stats_capacity_bytes: 'capacityBytes',
  nodeagent_volume_stats_inodes: 'inodes',
  nodeagent_volume_stats_inodes_free: 'inodesFree',
  nodeagent_volume_stats_inodes_used: 'inodesUsed',
  nodeagent_volume_stats_used_bytes: 'usedBytes',
} as const;

/** Claims that several pods use are shown once. */
async function fillClaims({ view, volumes }: StatsSources, metrics: AgentMetrics): Promise<void> {
  const gauges = Object.entries(claimGauges) as [keyof typeof claimGauges, keyof VolumeUsage][];
  const withClaims = view.pods().filter(({ spec }) => spec.volumes?.some(isClaimed));
  const usages = await Promise.all(
    withClaims.map(({ metadata }) => volumes?.usage(metadata.uid ?? '').catch(() => [])),
  );
  for (const [gauge] of gauges) metrics.clear(gauge);
  for (const usage of usages.flatMap((each) => each ?? [])) {
    if (usage.claim === undefined) continue;
    const labels = [usage.claim.namespace, usage.claim.name];
    for (const [gauge, field] of gauges) {
      const value = usage[field];
      if (typeof value === 'number') metrics.set(gauge, value, labels);
    }
  }
}

const isClaimed = (volume: Volume): boolean => Boolean(volume.persistentVolumeClaim);

async function fillLogSizes({ view, files }: StatsSources, metrics: AgentMetrics): Promise<void> {
  const gauge = 'nodeagent_container_log_filesystem_used_bytes';
  metrics.clear(gauge);
  for (const pod of view.pods()) {
    const { uid = '', namespace = '', name = '' } = pod.metadata;
    const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
    for (const container of statuses) {
      const folder = files.resolve(join(podLogsDirectory(pod), container.name));
      const { usedBytes, inodesUsed } = await folderUsage(folder);
      if (inodesUsed > 0) metrics.set(gauge, usedBytes, [uid, namespace, name, container.name]);
    }
  }
}
