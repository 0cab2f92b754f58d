import { parseCpuSet } from '../options/index.ts';

/** Numbers of CPUs. */
export type CpuSet = ReadonlySet<number>;

/** As `0-2,4`, which control groups and the agent's state file have it. */
export function formatCpuSet(cpus: CpuSet): string {
  const parts: string[] = [];
  const sorted = sortCpus(cpus);
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (sorted[last + 1] === (sorted[last] ?? 0) + 1) last += 1;
    parts.push(first === last ? `${sorted[first]}` : `${sorted[first]}-${sorted[last]}`);
    first = last + 1;
  }
  return parts.join(',');
}

/** The reverse of `formatCpuSet`; why there is none otherwise. */
export function readCpuSet(
  text: string,
): { readonly cpus: CpuSet; readonly problem?: undefined } | { readonly problem: string } {
  const parsed = parseCpuSet(text);
  return 'value' in parsed ? { cpus: new Set(parsed.value) } : { problem: parsed.problem };
}

/** Lowest first. */
export const sortCpus = (cpus: CpuSet): number[] => [...cpus].sort((a, b) => a - b);

/** Whether both have the same CPUs. */
export const isSameSet = (a: CpuSet, b: CpuSet): boolean => a.size === b.size && a.isSubsetOf(b);
