import type { CpuSet } from './cpu-set.ts';

/** Where a CPU, which is one thread of a core, sits in the machine. */
export interface CpuPlace {
  readonly cpu: number;
  /** Lowest of the core's CPUs: such numbers are unique in the machine. */
  readonly core: number;
  readonly socket: number;
  /** NUMA node. */
  readonly node: number;
}

/** A part of the machine that CPUs share. */
export type CpuUnit = 'core' | 'socket' | 'node';

/** What the machine's CPUs are, and how they lie together. */
export interface CpuTopology {
  readonly places: ReadonlyMap<number, CpuPlace>;
  readonly cpus: CpuSet;
  /** NUMA nodes that have CPUs, lowest first. */
  readonly nodes: readonly number[];
  /** CPUs of a whole socket; of the average one where they differ. */
  readonly cpusPerSocket: number;
  /** The same of a core. */
  readonly cpusPerCore: number;
}

/** The topology that these CPUs make up. */
export function describeTopology(places: readonly CpuPlace[]): CpuTopology {
  const count = (unit: CpuUnit): number => Math.max(1, new Set(places.map((place) => place[unit])).size);
  return {
    places: new Map(places.map((place) => [place.cpu, place])),
    cpus: new Set(places.map(({ cpu }) => cpu)),
    nodes: [...new Set(places.map(({ node }) => node))].sort((a, b) => a - b),
    cpusPerSocket: Math.floor(places.length / count('socket')),
    cpusPerCore: Math.floor(places.length / count('core')),
  };
}

/** Places of the given CPUs that the machine has, by the unit that they lie in. */
export function groupByUnit(
  { places }: CpuTopology,
  cpus: Iterable<number>,
  unit: CpuUnit,
): ReadonlyMap<number, readonly CpuPlace[]> {
  const known = [...cpus].flatMap((cpu) => places.get(cpu) ?? []);
  return Map.groupBy(known, (place) => place[unit]);
}
