import type { Pod } from '../../apis/types/core-v1.ts';
import type { AgentMetrics } from '../../nodeagent/api/index.ts';
import type { PodMeasures, RuntimeLook } from '../../nodeagent/lifecycle/index.ts';
import { podAnnotationNames } from '../../nodeagent/sources/index.ts';
import type { AgentBase } from './agent-base.ts';

/** Counts the pace at which pods are brought about in the agent's metrics. */
export function podMeasures({
  metrics,
  dialect,
  clock,
}: Pick<AgentBase, 'metrics' | 'dialect' | 'clock'>): PodMeasures {
  const { seen } = podAnnotationNames(dialect);
  /** NaN for a pod of which nobody said when it was seen first. */
  const secondsSinceSeen = ({ metadata }: Pod): number =>
    (clock.nowMs() - Date.parse(metadata.annotations?.[seen] ?? '')) / 1000;
  return {
    began(pod) {
      const seconds = secondsSinceSeen(pod);
      if (seconds >= 0) metrics.observe('nodeagent_pod_worker_start_duration_seconds', seconds);
      metrics.observe('nodeagent_containers_per_pod_count', pod.spec.containers?.length ?? 0);
    },
    runs(pod) {
      const seconds = secondsSinceSeen(pod);
      if (seconds >= 0) metrics.observe('nodeagent_pod_start_duration_seconds', seconds);
    },
    failed: (kind, durationMs) =>
      metrics.observe('nodeagent_pod_worker_duration_seconds', durationMs / 1000, [kind]),
    preempted: (resource) => metrics.add('nodeagent_preemptions', 1, [resource]),
  };
}

/** Counts a look at the runtime in the agent's metrics. */
export function countLook(
  { startedAtMs, durationMs, intervalMs, hasAnswered }: RuntimeLook,
  metrics: Pick<AgentMetrics, 'set' | 'observe'>,
): void {
  metrics.observe('nodeagent_pleg_relist_duration_seconds', durationMs / 1000);
  if (intervalMs !== undefined) metrics.observe('nodeagent_pleg_relist_interval_seconds', intervalMs / 1000);
  if (hasAnswered) metrics.set('nodeagent_pleg_last_seen_seconds', Math.floor(startedAtMs / 1000));
}
