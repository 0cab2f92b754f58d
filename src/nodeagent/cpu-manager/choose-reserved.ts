import { type CpuSet, formatCpuSet } from './cpu-set.ts';
import type { CpuTopology } from './cpu-topology.ts';
import { takeCpus } from './take-cpus.ts';

/** What is kept for the system. */
export interface Reservation {
  /** CPUs by their numbers; empty when only an amount is reserved. */
  readonly ids: readonly number[];
  readonly cpuMillis: number;
}

/** The CPUs that are nobody's own, lowest cores first where only an amount is reserved; or why there are none. */
export function chooseReserved(
  topology: CpuTopology,
  { ids, cpuMillis }: Reservation,
): { readonly cpus: CpuSet; readonly problem?: undefined } | { readonly problem: string } {
  if (ids.length > 0) return { cpus: new Set(ids) };
  const count = Math.ceil(cpuMillis / 1000);
  const cpus = takeCpus({ topology, available: topology.cpus, count });
  if (cpus !== undefined) return { cpus };
  const size = `size of ${formatCpuSet(new Set())} did not equal ${count}`;
  return { problem: `[cpumanager] unable to reserve the required amount of CPUs (${size})` };
}
