import type { Pod } from '../../apis/types/core-v1.ts';
import type { AgentMetrics } from '../../nodeagent/api/index.ts';
import type { PodMetrics, RelistResult } from '../../nodeagent/lifecycle/index.ts';
import { podAnnotationNames } from '../../nodeagent/sources/index.ts';
import type { VolumeOperation } from '../../nodeagent/volumes/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { CountedRequest } from './agent-clients.ts';

/** Counts the pace at which pods are brought about in the agent's metrics. */
export function podMetrics({
  metrics,
  dialect,
  clock,
}: Pick<AgentBase, 'metrics' | 'dialect' | 'clock'>): PodMetrics {
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

/** Counts a request to the API server in the agent's metrics. */
export function countRequest(
  { method, origin, host, code, durationMs }: CountedRequest,
  metrics: Pick<AgentMetrics, 'add' | 'observe'>,
): void {
  metrics.add('rest_client_requests_total', 1, [code, host, method]);
  // One address stands for all of a server, as in release 1.20.
  const labels = [method, `${origin}/%7Bprefix%7D`];
  metrics.observe('rest_client_request_duration_seconds', durationMs / 1000, labels);
}

/** Counts a relist of the runtime in the agent's metrics. */
export function countRelist(
  { startedAtMs, durationMs, intervalMs, hasAnswered }: RelistResult,
  metrics: Pick<AgentMetrics, 'set' | 'observe'>,
): void {
  metrics.observe('nodeagent_pleg_relist_duration_seconds', durationMs / 1000);
  if (intervalMs !== undefined) metrics.observe('nodeagent_pleg_relist_interval_seconds', intervalMs / 1000);
  if (hasAnswered) metrics.set('nodeagent_pleg_last_seen_seconds', Math.floor(startedAtMs / 1000));
}

/** Counts an operation on a volume in the agent's metrics. Those that fail are not timed, as in release 1.20. */
export function countVolumeOperation(
  { plugin, name, durationMs, isSuccess }: VolumeOperation,
  metrics: Pick<AgentMetrics, 'add' | 'observe'>,
): void {
  const labels = [plugin, name];
  metrics.add('storage_operation_status_count', 1, [...labels, isSuccess ? 'success' : 'fail-unknown']);
  if (isSuccess) metrics.observe('storage_operation_duration_seconds', durationMs / 1000, labels);
  else metrics.add('storage_operation_errors_total', 1, labels);
}
