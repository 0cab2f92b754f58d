import type { CpuPolicy } from './allocate-pod.ts';
import { type CpuSet, formatCpuSet, isSameSet } from './cpu-set.ts';
import type { CpuState } from './cpu-state.ts';

/** The state of a machine on which nobody has CPUs of their own. */
export const freshState = ({ topology }: Pick<CpuPolicy, 'topology'>): CpuState => ({
  shared: topology.cpus,
  own: new Map(),
});

/** Why a state cannot be that of this machine and reservation, in release 1.20's words; undefined when it can. */
export function findStateProblem(
  { shared, own }: CpuState,
  { topology, reserved }: Pick<CpuPolicy, 'topology' | 'reserved'>,
): string | undefined {
  const sharedText = formatCpuSet(shared);
  if (shared.size === 0) return 'default cpuset cannot be empty';
  if (!reserved.isSubsetOf(shared)) {
    return `not all reserved cpus: "${formatCpuSet(reserved)}" are present in defaultCpuSet: "${sharedText}"`;
  }
  let known: CpuSet = shared;
  for (const [podUid, containers] of own) {
    for (const [name, cpus] of containers) {
      if (!cpus.isDisjointFrom(shared)) {
        return `pod: ${podUid}, container: ${name} cpuset: "${formatCpuSet(cpus)}" overlaps with default cpuset "${sharedText}"`;
      }
      known = known.union(cpus);
    }
  }
  if (isSameSet(known, topology.cpus)) return undefined;
  return `current set of available CPUs "${formatCpuSet(topology.cpus)}" doesn't match with CPUs in state "${formatCpuSet(known)}"`;
}
