import type { CgroupUsage } from './cgroup-usage.ts';
import { addDevices } from './device-metrics.ts';
import { machineSummary } from './machine-spec.ts';
import { type Labels, MetricFamilies } from './metric-families.ts';
import { type InterfaceUsage, interfaceUsages, podInterfaces } from './network.ts';
import { listRunningPods, type RunningPod } from './pod-inventory.ts';
import { processFigures } from './process-figures.ts';
import type { StatsSources } from './stats-sources.ts';

const nsPerSecond = 1e9;
const taskStates = ['iowaiting', 'running', 'sleeping', 'stopped', 'uninterruptible'] as const;
const none: Labels = { container: '', id: '', image: '', name: '', namespace: '', pod: '' };

/** Metrics of the machine, of the groups of pods, and of containers, as tools for clusters know them. */
export async function containerMetrics(sources: StatsSources): Promise<string> {
  const families = new MetricFamilies();
  const pods = await listRunningPods(sources.runtime, sources.dialect).catch(() => undefined);
  await addMachine(sources, families);
  await addGroup(sources, families, '/', { ...none, id: '/' });
  await addDevices(sources, families, none);
  const { paths } = sources;
  for (const path of [paths.pods ?? '', ...paths.classes]) {
    if (path !== '') await addGroup(sources, families, path, { ...none, id: path });
  }
  for (const pod of pods ?? []) await addPod(sources, families, pod);
  families.add('container_scrape_error', {}, pods === undefined ? 1 : 0);
  return families.text();
}

async function addMachine(sources: StatsSources, families: MetricFamilies): Promise<void> {
  const machine = await machineSummary(sources.files);
  const { machineId, systemUuid, bootId } = machine;
  const labels = { boot_id: bootId, machine_id: machineId, system_uuid: systemUuid };
  families.add('machine_cpu_cores', labels, machine.processors);
  families.add('machine_cpu_physical_cores', labels, machine.cores);
  families.add('machine_cpu_sockets', labels, machine.sockets);
  families.add('machine_memory_bytes', labels, machine.memoryBytes);
  families.add('machine_nvm_avg_power_budget_watts', labels, 0);
  for (const mode of ['app direct_mode', 'memory_mode']) {
    families.add('machine_nvm_capacity', { ...labels, mode }, 0);
  }
  families.add('machine_scrape_error', {}, 0);
  families.add(
    'cadvisor_version_info',
    {
      cadvisorRevision: '',
      cadvisorVersion: '',
      legacyrtVersion: '',
      kernelVersion: machine.kernelVersion,
      osVersion: machine.osVersion,
    },
    1,
  );
}

async function addPod(sources: StatsSources, families: MetricFamilies, running: RunningPod): Promise<void> {
  const pod = sources.podByUid(running.uid);
  const path = pod === undefined ? undefined : sources.paths.pod(pod);
  if (path === undefined) return;
  const owner = { ...none, namespace: running.namespace, pod: running.name };
  await addGroup(sources, families, path, { ...owner, id: path });
  for (const { name, container } of running.containers) {
    const id = sources.paths.container(path, container.id);
    const image = container.image || container.imageRef;
    await addGroup(sources, families, id, { ...owner, container: name, id, image, name: container.id });
  }
  const interfaces = (await podInterfaces(sources, running)) ?? [];
  const { id: name } = running.sandbox;
  const labels = { ...owner, id: sources.paths.container(path, name), name };
  addNetwork(families, labels, { interfaces, atMs: sources.clock.nowMs() });
}

async function addGroup(
  sources: StatsSources,
  families: MetricFamilies,
  path: string,
  labels: Labels,
): Promise<void> {
  const usage = await sources.cgroups.read(path);
  if (usage === undefined) return;
  addCpu(families, labels, usage);
  addMemory(families, labels, usage);
  await addProcesses(sources, families, path, labels, usage);
  families.add('container_last_seen', labels, Math.floor(usage.atMs / 1000), usage.atMs);
  families.add('container_start_time_seconds', labels, Math.floor(usage.startedAtMs / 1000));
  if (path !== '/') return;
  addNetwork(families, labels, { interfaces: await interfaceUsages(sources.files), atMs: usage.atMs });
}

function addCpu(families: MetricFamilies, labels: Labels, usage: CgroupUsage): void {
  const { atMs } = usage;
  families.add('container_cpu_load_average_10s', labels, 0, atMs);
  families.add('container_cpu_system_seconds_total', labels, usage.cpuSystemNs / nsPerSecond, atMs);
  families.add('container_cpu_user_seconds_total', labels, usage.cpuUserNs / nsPerSecond, atMs);
  families.add(
    'container_cpu_usage_seconds_total',
    { ...labels, cpu: 'total' },
    usage.cpuNs / nsPerSecond,
    atMs,
  );
  families.add('container_spec_cpu_period', labels, usage.cpuPeriodUs);
  families.add('container_spec_cpu_shares', labels, usage.cpuShares);
}

function addMemory(families: MetricFamilies, labels: Labels, { memory, atMs }: CgroupUsage): void {
  families.add('container_memory_cache', labels, memory.cacheBytes, atMs);
  families.add('container_memory_failcnt', labels, memory.failures, atMs);
  families.add('container_memory_mapped_file', labels, memory.mappedFileBytes, atMs);
  families.add('container_memory_max_usage_bytes', labels, memory.maxUsageBytes, atMs);
  families.add('container_memory_rss', labels, memory.rssBytes, atMs);
  families.add('container_memory_swap', labels, memory.swapBytes, atMs);
  families.add('container_memory_usage_bytes', labels, memory.usageBytes, atMs);
  families.add('container_memory_working_set_bytes', labels, memory.workingSetBytes, atMs);
  const faults = [
    ['pgfault', 'container', memory.ownPageFaults],
    ['pgfault', 'hierarchy', memory.pageFaults],
    ['pgmajfault', 'container', memory.ownMajorPageFaults],
    ['pgmajfault', 'hierarchy', memory.majorPageFaults],
  ] as const;
  for (const [failure_type, scope, count] of faults) {
    families.add('container_memory_failures_total', { ...labels, failure_type, scope }, count, atMs);
  }
  families.add('container_spec_memory_limit_bytes', labels, finiteOrZero(memory.limitBytes));
  families.add(
    'container_spec_memory_reservation_limit_bytes',
    labels,
    finiteOrZero(memory.reservationBytes),
  );
  families.add('container_spec_memory_swap_limit_bytes', labels, finiteOrZero(memory.swapLimitBytes));
}

async function addProcesses(
  { cgroups, files }: StatsSources,
  families: MetricFamilies,
  path: string,
  labels: Labels,
  { atMs, threads, maxThreads }: CgroupUsage,
): Promise<void> {
  const ids = await cgroups.processes(path);
  const { fileDescriptors, sockets, maxOpenFiles } = await processFigures(files, ids);
  families.add('container_processes', labels, ids.length, atMs);
  families.add('container_file_descriptors', labels, fileDescriptors, atMs);
  families.add('container_sockets', labels, sockets, atMs);
  families.add('container_threads', labels, threads ?? 0, atMs);
  families.add('container_threads_max', labels, finiteOrZero(maxThreads ?? 0), atMs);
  families.add('container_ulimits_soft', { ...labels, ulimit: 'max_open_files' }, maxOpenFiles, atMs);
  for (const state of taskStates) families.add('container_tasks_state', { ...labels, state }, 0, atMs);
}

function addNetwork(
  families: MetricFamilies,
  labels: Labels,
  { interfaces, atMs }: { readonly interfaces: readonly InterfaceUsage[]; readonly atMs: number },
): void {
  for (const usage of interfaces) {
    const own = { ...labels, interface: usage.name };
    families.add('container_network_receive_bytes_total', own, usage.rxBytes, atMs);
    families.add('container_network_receive_errors_total', own, usage.rxErrors, atMs);
    families.add('container_network_receive_packets_dropped_total', own, usage.rxDropped, atMs);
    families.add('container_network_receive_packets_total', own, usage.rxPackets, atMs);
    families.add('container_network_transmit_bytes_total', own, usage.txBytes, atMs);
    families.add('container_network_transmit_errors_total', own, usage.txErrors, atMs);
    families.add('container_network_transmit_packets_dropped_total', own, usage.txDropped, atMs);
    families.add('container_network_transmit_packets_total', own, usage.txPackets, atMs);
  }
}

const finiteOrZero = (value: number): number => (Number.isFinite(value) ? value : 0);
