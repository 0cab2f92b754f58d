import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readSystemFile } from '../node/index.ts';
import { readCpuSet, sortCpus } from './cpu-set.ts';
import { type CpuPlace, type CpuTopology, describeTopology } from './cpu-topology.ts';

/** Where the facts are read from; another root is for tests. */
export interface ReadTopologyOptions {
  /** `/` when left out. */
  readonly root?: string | undefined;
}

const cpuFolder = 'sys/devices/system/cpu';
const nodeFolder = 'sys/devices/system/node';

/**
 * Reads which CPUs the machine has now and how they lie together. Where the kernel does not say, a CPU is a
 * core of its own, on socket and node 0.
 */
export async function readTopology({ root = '/' }: ReadTopologyOptions = {}): Promise<CpuTopology> {
  const online = await readCpus(join(root, cpuFolder, 'online'));
  const nodes = await readNodes(join(root, nodeFolder));
  const places = online.map(async (cpu): Promise<CpuPlace> => {
    const folder = join(root, cpuFolder, `cpu${cpu}`, 'topology');
    const [socketText, siblings] = await Promise.all([
      readSystemFile(join(folder, 'physical_package_id')),
      readCpus(join(folder, 'thread_siblings_list')),
    ]);
    return {
      cpu,
      core: siblings.find((sibling) => online.includes(sibling)) ?? cpu,
      socket: Math.max(0, Number(socketText) || 0), // machines without sockets say -1
      node: nodes.get(cpu) ?? 0,
    };
  });
  return describeTopology(await Promise.all(places));
}

/** CPUs that a file lists, lowest first; none when there is no such list. */
async function readCpus(path: string): Promise<readonly number[]> {
  const read = readCpuSet(await readSystemFile(path));
  return read.problem === undefined ? sortCpus(read.cpus) : [];
}

/** The NUMA node of each CPU; empty on a kernel that knows none. */
async function readNodes(folder: string): Promise<ReadonlyMap<number, number>> {
  const nodes = new Map<number, number>();
  const names = await readdir(folder).catch(() => []); // a kernel without NUMA has no such folder
  for (const name of names) {
    const node = /^node(\d+)$/.exec(name)?.[1];
    if (node === undefined) continue;
    for (const cpu of await readCpus(join(folder, name, 'cpulist'))) nodes.set(cpu, Number(node));
  }
  return nodes;
}
