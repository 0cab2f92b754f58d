import { join } from 'node:path';
import type { Volume } from '../../../apis/types/core-v1.ts';
import { podLogsDirectory } from '../../container-config/index.ts';
import type { VolumeUsage } from '../agent-view.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import { folderUsage } from './file-system.ts';
import type { StatsSources } from './stats-sources.ts';

/**
 * Sets the gauges that show what the runtime runs, and how much room logs take. Does nothing when the runtime does not
 * answer.
 */
export async function fillGauges(sources: StatsSources, metrics: AgentMetrics): Promise<void> {
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
