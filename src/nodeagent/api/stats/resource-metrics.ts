import { formatLabels, formatValue, metricHead } from '../../../net/metrics/index.ts';
import { listRunningPods, type RunningPod } from './pod-inventory.ts';
import type { StatsSources } from './stats-sources.ts';

/** One value with its labels and the time of its measurement. */
interface Sample {
  readonly labels: string;
  readonly value: number;
  readonly atMs: number;
}

const nsPerSecond = 1e9;

/** CPU time and working sets of containers, pods and the node, for autoscaling (`/metrics/resource`). */
export async function resourceMetrics(sources: StatsSources): Promise<string> {
  const pods = await listRunningPods(sources.runtime, sources.dialect).catch(() => undefined);
  const machine = await sources.cgroups.read('/');
  const families = [...containerFamilies(pods ?? []), ...(await podFamilies(sources, pods ?? []))];
  if (machine !== undefined) {
    const { atMs, cpuNs, memory } = machine;
    families.push(
      family('node_cpu_usage_seconds_total', 'counter', 'CPU time that the node has used, in seconds', [
        { labels: '', value: cpuNs / nsPerSecond, atMs },
      ]),
      family('node_memory_working_set_bytes', 'gauge', 'Working set of the node, in bytes', [
        { labels: '', value: memory.workingSetBytes, atMs },
      ]),
    );
  }
  const isBroken = pods === undefined || machine === undefined ? 1 : 0;
  families.push(
    `${metricHead('scrape_error', { type: 'gauge', help: '1 when not all could be measured, else 0' })}scrape_error ${isBroken}\n`,
  );
  return families.sort().join('');
}

function containerFamilies(pods: readonly RunningPod[]): string[] {
  const each = pods.flatMap((pod) =>
    pod.containers.map(({ name, stats }) => ({
      labels: formatLabels(['container', 'namespace', 'pod'], [name, pod.namespace, pod.name]),
      stats,
    })),
  );
  const cpu = each.flatMap(({ labels, stats }) =>
    stats?.cpu === undefined
      ? []
      : [{ labels, value: stats.cpu.usageCoreNs / nsPerSecond, atMs: stats.cpu.atMs }],
  );
  const memory = each.flatMap(({ labels, stats }) =>
    stats?.memory === undefined
      ? []
      : [{ labels, value: stats.memory.workingSetBytes, atMs: stats.memory.atMs }],
  );
  return [
    family(
      'container_cpu_usage_seconds_total',
      'counter',
      'CPU time that the container has used, in seconds',
      cpu,
    ),
    family('container_memory_working_set_bytes', 'gauge', 'Working set of the container, in bytes', memory),
  ];
}

async function podFamilies(sources: StatsSources, pods: readonly RunningPod[]): Promise<string[]> {
  const measured = await Promise.all(
    pods.map(async ({ uid, name, namespace }) => {
      const pod = sources.podByUid(uid);
      const path = pod === undefined ? undefined : sources.paths.pod(pod);
      const usage = path === undefined ? undefined : await sources.cgroups.read(path);
      return usage && { labels: formatLabels(['namespace', 'pod'], [namespace, name]), usage };
    }),
  );
  const found = measured.filter((each) => each !== undefined);
  return [
    family(
      'pod_cpu_usage_seconds_total',
      'counter',
      'CPU time that the pod has used, in seconds',
      found.map(({ labels, usage: { cpuNs, atMs } }) => ({ labels, value: cpuNs / nsPerSecond, atMs })),
    ),
    family(
      'pod_memory_working_set_bytes',
      'gauge',
      'Working set of the pod, in bytes',
      found.map(({ labels, usage: { memory, atMs } }) => ({ labels, value: memory.workingSetBytes, atMs })),
    ),
  ];
}

function family(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels, value, atMs }) => {
    const braces = labels === '' ? '' : `{${labels}}`;
    return `${name}${braces} ${formatValue(value)} ${Math.round(atMs)}\n`;
  });
  return metricHead(name, { type, help }) + lines.join('');
}
