import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  countRelist,
  countRequest,
  countVolumeOperation,
  podMetrics,
} from '../../../../src/app/node-agent/count-metrics.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { createAgentMetrics } from '../../../../src/nodeagent/api/index.ts';

const nowMs = Date.parse('2026-11-21T10:00:00Z');
const clock = { nowMs: () => nowMs, setTimer: () => () => {} };
const open = () => createAgentMetrics({ nodeName: 'n', dialect: orchDialect, startedAtMs: 0 });
const podOf = (seen: string | undefined): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...(seen === undefined ? {} : { annotations: { 'orch.io/config.seen': seen } }) },
  spec: { containers: ['a', 'b', 'c'].map((name) => ({ name, resources: {} })) },
  status: {},
});

describe('podMetrics', () => {
  it('counts from when a pod was seen first', () => {
    const metrics = open();
    const counted = podMetrics({ metrics, dialect: orchDialect, clock });
    const pod = podOf('2026-11-21T09:59:57.5Z');
    counted.began(pod);
    counted.runs(pod);
    counted.failed('update', 250);
    counted.preempted('cpu');
    const text = metrics.text();
    for (const line of [
      'nodeagent_pod_worker_start_duration_seconds_sum 2.5',
      'nodeagent_pod_start_duration_seconds_sum 2.5',
      'nodeagent_pod_start_duration_seconds_count 1',
      'nodeagent_containers_per_pod_count_bucket{le="4"} 1',
      'nodeagent_containers_per_pod_count_sum 3',
      'nodeagent_pod_worker_duration_seconds_sum{operation_type="update"} 0.25',
      'nodeagent_preemptions{preemption_signal="cpu"} 1',
    ]) {
      expect(text).to.include(`${line}\n`);
    }
  });

  it('counts no start of pods of which nobody said when they were seen, or who were seen in the future', () => {
    const metrics = open();
    const counted = podMetrics({ metrics, dialect: orchDialect, clock });
    for (const seen of [undefined, 'noon', '2026-11-21T11:00:00Z']) counted.began(podOf(seen));
    expect(metrics.text()).to.include('nodeagent_pod_worker_start_duration_seconds_count 0\n');
    expect(metrics.text()).to.include('nodeagent_containers_per_pod_count_count 3\n');
  });
});

describe('countVolumeOperation', () => {
  it('times operations that succeed, and counts those that fail once more', () => {
    const metrics = open();
    const operation = { plugin: 'orch.io/nfs', name: 'volume_mount', durationMs: 1500 } as const;
    countVolumeOperation({ ...operation, isSuccess: true }, metrics);
    countVolumeOperation({ ...operation, isSuccess: false }, metrics);
    const labels = 'volume_plugin="orch.io/nfs",operation_name="volume_mount"';
    for (const line of [
      `storage_operation_duration_seconds_sum{${labels}} 1.5`,
      `storage_operation_errors_total{${labels}} 1`,
      `storage_operation_status_count{${labels},status="success"} 1`,
      `storage_operation_status_count{${labels},status="fail-unknown"} 1`,
    ]) {
      expect(metrics.text()).to.include(`${line}\n`);
    }
  });
});

describe('countRequest', () => {
  it('counts requests by how they were answered, and how long that took', () => {
    const metrics = open();
    const request = { method: 'GET', origin: 'https://s:6443', host: 's:6443', code: '200', durationMs: 3 };
    countRequest(request, metrics);
    countRequest({ ...request, code: '<error>', durationMs: 1000 }, metrics);
    const text = metrics.text();
    for (const line of [
      'rest_client_requests_total{code="200",host="s:6443",method="GET"} 1',
      'rest_client_requests_total{code="<error>",host="s:6443",method="GET"} 1',
      'rest_client_request_duration_seconds_bucket{verb="GET",url="https://s:6443/%7Bprefix%7D",le="0.004"} 1',
      'rest_client_request_duration_seconds_count{verb="GET",url="https://s:6443/%7Bprefix%7D"} 2',
      'rest_client_exec_plugin_ttl_seconds +Inf',
    ]) {
      expect(text).to.include(`${line}\n`);
    }
  });
});

describe('countRelist', () => {
  it('counts how long relists take and how far they are apart, and when one was answered last', () => {
    const metrics = open();
    const relist = { startedAtMs: 5500, durationMs: 40, intervalMs: undefined, hasAnswered: true };
    countRelist(relist, metrics);
    countRelist({ startedAtMs: 6500, durationMs: 60, intervalMs: 1000, hasAnswered: false }, metrics);
    const text = metrics.text();
    expect(text).to.include('nodeagent_pleg_last_seen_seconds 5\n');
    expect(text).to.include('nodeagent_pleg_relist_duration_seconds_count 2\n');
    expect(text).to.include('nodeagent_pleg_relist_interval_seconds_sum 1\n');
    expect(text).to.include('nodeagent_pleg_relist_interval_seconds_count 1\n');
  });
});
