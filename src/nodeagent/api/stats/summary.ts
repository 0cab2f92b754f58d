import { type FileSystemState, fileSystemState } from './file-system.ts';
import { type Groups, readGroups } from './measured-groups.ts';
import { describeInterfaces, interfaceUsages, mainInterface } from './network.ts';
import { listRunningPods } from './pod-inventory.ts';
import { describePod, podBasics } from './pod-summary.ts';
import type { StatsSources } from './stats-sources.ts';
import { cpuAndMemory, describeFs, describeUsage, type Memory, timeOf } from './summary-figures.ts';

/** How much of a summary is requested. */
export interface SummaryOptions {
  readonly onlyCpuAndMemory: boolean;
}

/** Figures of the node and of each pod that runs (`facts` of stats.v1alpha1.Summary); nothing is kept in between. */
export async function summarize(sources: StatsSources, options: SummaryOptions): Promise<unknown> {
  const pods = await listRunningPods(sources.runtime, sources.dialect);
  const groups = await readGroups(sources, pods);
  if (options.onlyCpuAndMemory) {
    return {
      node: await nodeBasics(sources, groups),
      pods: pods.map((pod) => podBasics(sources, pod, groups)),
    };
  }
  const rootFs = await fileSystemState(sources.config.rootDir);
  const [node, podList] = await Promise.all([
    describeNode(sources, groups, rootFs),
    Promise.all(pods.map((pod) => describePod(sources, pod, groups, rootFs))),
  ]);
  return { node, pods: podList };
}

async function nodeBasics({ nodeName, dialect, files }: StatsSources, groups: Groups) {
  const machine = groups.get('/');
  const systemContainers = [...groups]
    .filter(([name]) => ['nodeagent', 'runtime', 'misc', 'pods'].includes(name))
    .map(([name, group]) => ({
      name: dialect.spell(name),
      startTime: timeOf(group.usage.startedAtMs),
      ...cpuAndMemory(group),
    }));
  if (machine === undefined) return { nodeName, systemContainers };
  const { cpu, memory } = cpuAndMemory(machine);
  const capacityBytes = ((await files.pairs('/proc/meminfo')).get('MemTotal') ?? 0) * 1024;
  return {
    nodeName,
    systemContainers,
    startTime: timeOf(machine.usage.startedAtMs),
    cpu,
    memory: withMachineMemory(memory, capacityBytes),
  };
}

async function describeNode(sources: StatsSources, groups: Groups, rootFs: FileSystemState | undefined) {
  const { files, clock, images } = sources;
  const time = timeOf(clock.nowMs());
  const [basics, network, imageFs, maxpid, load] = await Promise.all([
    nodeBasics(sources, groups),
    describeNetwork(sources),
    images.imageFsInfo().catch(() => []),
    files.number('/proc/sys/kernel/pid_max'),
    files.text('/proc/loadavg'),
  ]);
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
function withMachineMemory({ time, availableBytes: _, ...rest }: Memory, capacityBytes: number): Memory {
  return { time, availableBytes: Math.max(0, capacityBytes - rest.workingSetBytes), ...rest };
}

async function describeNetwork({ files, clock }: StatsSources) {
  const all = await interfaceUsages(files);
  const main = await mainInterface(files, all);
  return describeInterfaces(all, { main, time: timeOf(clock.nowMs()) });
}
