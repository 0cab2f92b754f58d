import { join } from 'node:path';
import { podLogsDirectory } from '../../container-config/index.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import type { StatsSources } from './agent-stats.ts';
import { folderUsage } from './file-system.ts';

/** Sets the gauges that show what the runtime runs, and how much room logs take. Does nothing without an answer of it. */
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
}

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
