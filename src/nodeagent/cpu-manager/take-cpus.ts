import type { CpuSet } from './cpu-set.ts';
import { type CpuPlace, type CpuTopology, type CpuUnit, groupByUnit } from './cpu-topology.ts';

/** What CPUs are taken from. */
export interface TakeCpusOptions {
  readonly topology: CpuTopology;
  readonly available: CpuSet;
  /** How many to take. */
  readonly count: number;
}

/**
 * Takes CPUs that lie together: whole sockets, then whole cores, then single threads, from where least is left
 * (release 1.20's best fit). The same question always has the same answer; undefined when there are not enough.
 */
export function takeCpus({ topology, available, count }: TakeCpusOptions): CpuSet | undefined {
  const free = available.intersection(topology.cpus);
  if (count > free.size) return undefined;
  const taking: Taking = { topology, free, taken: new Set(), count };
  takeWhole(taking, 'socket', topology.cpusPerSocket);
  takeWhole(taking, 'core', topology.cpusPerCore);
  const missing = count - taking.taken.size;
  if (missing > 0) takeAll(taking, threadsByFit(taking).slice(0, missing));
  return taking.taken;
}

interface Taking {
  readonly topology: CpuTopology;
  readonly count: number;
  readonly free: Set<number>;
  readonly taken: Set<number>;
}

/** Takes whole units for as long as one fits into what is missing. */
function takeWhole(taking: Taking, unit: CpuUnit, size: number): void {
  const { count, taken } = taking;
  if (count - taken.size < size) return;
  for (const places of wholeUnits(taking, unit, size)) {
    if (count - taken.size < size) return;
    takeAll(taking, places);
  }
}

/** Units of which everything is free; those of sockets with few free units first. */
function wholeUnits(
  { topology, free }: Taking,
  unit: CpuUnit,
  size: number,
): readonly (readonly CpuPlace[])[] {
  const whole = [...groupByUnit(topology, free, unit)]
    .filter(([, places]) => places.length === size)
    .map(([id, places]) => ({ id, places, socket: places[0]?.socket ?? 0 }));
  const perSocket = Map.groupBy(whole, ({ socket }) => socket);
  const onSocket = (socket: number): number => perSocket.get(socket)?.length ?? 0;
  return whole
    .sort((a, b) => onSocket(a.socket) - onSocket(b.socket) || a.socket - b.socket || a.id - b.id)
    .map(({ places }) => places);
}

/** Free threads: first those near what was taken, then those on sockets and cores that are filled most. */
function threadsByFit({ topology, free, taken }: Taking): readonly CpuPlace[] {
  const takenOn = groupByUnit(topology, taken, 'socket');
  const freeOnSocket = groupByUnit(topology, free, 'socket');
  const freeOnCore = groupByUnit(topology, free, 'core');
  const rank = ({ socket, core, cpu }: CpuPlace): readonly number[] => [
    -(takenOn.get(socket)?.length ?? 0),
    freeOnSocket.get(socket)?.length ?? 0,
    freeOnCore.get(core)?.length ?? 0,
    socket,
    core,
    cpu,
  ];
  return [...freeOnCore.values()]
    .flat()
    .map((place) => ({ place, rank: rank(place) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ place }) => place);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

function takeAll({ free, taken }: Taking, places: readonly CpuPlace[]): void {
  for (const { cpu } of places) {
    free.delete(cpu);
    taken.add(cpu);
  }
}
