import type { CpuSet } from './cpu-set.ts';
import type { CpuTopology } from './cpu-topology.ts';

/** NUMA nodes as bits: bit `n` is the topology's node at index `n`. */
export type NodeMask = number;

/** NUMA nodes by the index of their bit. */
export type AlignmentNodes = CpuTopology['nodes'];

/** Nodes that a request could be served from. */
export interface TopologyHint {
  /** Undefined: any. */
  readonly nodes: NodeMask | undefined;
  /** Whether no fewer nodes could do, were all of the machine free. */
  readonly isPreferred: boolean;
}

/** More nodes have too many combinations (release 1.20's bound). */
export const maxNodes = 8;

/** What a request is matched against. */
export interface HintOptions {
  readonly topology: CpuTopology;
  /** CPUs that are not assigned. */
  readonly available: CpuSet;
  /** CPUs that the request must use: the pod has them already. */
  readonly reusable: CpuSet;
  readonly count: number;
}

/** Every combination of nodes that has enough CPUs for the request. */
export function cpuHints({ topology, available, reusable, count }: HintOptions): readonly TopologyHint[] {
  const all = allNodes(topology);
  const maskOf = nodeMasks(topology);
  const found: NodeMask[] = [];
  let least = topology.nodes.length;
  for (let mask = 1; mask <= all; mask++) {
    const isIn = (cpu: number): boolean => ((maskOf.get(cpu) ?? 0) & mask) !== 0;
    if (countIn(topology.cpus, isIn) >= count) least = Math.min(least, countNodes(mask));
    const reused = countIn(reusable, isIn);
    if (reused < reusable.size || reused + countIn(available, isIn) < count) continue;
    found.push(mask);
  }
  return found.map((nodes) => ({ nodes, isPreferred: countNodes(nodes) === least }));
}

/** The mask of all nodes. */
export const allNodes = ({ nodes }: CpuTopology): NodeMask => 2 ** nodes.length - 1;

/** How many nodes a mask names. */
export function countNodes(mask: NodeMask): number {
  let count = 0;
  for (let rest = mask; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
}

/** Those of the CPUs that lie on the nodes. */
export function cpusOnNodes(topology: CpuTopology, cpus: CpuSet, nodes: NodeMask): CpuSet {
  const maskOf = nodeMasks(topology);
  return new Set([...cpus].filter((cpu) => ((maskOf.get(cpu) ?? 0) & nodes) !== 0));
}

function nodeMasks({ places, nodes }: CpuTopology): ReadonlyMap<number, NodeMask> {
  return new Map([...places].map(([cpu, { node }]) => [cpu, 2 ** nodes.indexOf(node)]));
}

function countIn(cpus: CpuSet, isIn: (cpu: number) => boolean): number {
  let count = 0;
  for (const cpu of cpus) if (isIn(cpu)) count += 1;
  return count;
}
