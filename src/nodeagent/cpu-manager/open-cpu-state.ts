import type { CpuPolicy } from './allocate-pod.ts';
import { type CpuSet, formatCpuSet, isSameSet, readCpuSet } from './cpu-set.ts';
import type { CpuState } from './cpu-state.ts';
import { CpuManagerError, type CpuRecord, type CpuStateFile } from './state/index.ts';

/** Name of the policy that gives out CPUs. */
const staticPolicy = 'static';

/**
 * The state that an agent before left, or that of a machine on which nobody has CPUs of their own.
 *
 * @throws CpuManagerError for a file of another policy, and for a state that cannot be that of this machine
 */
export async function openCpuState(file: CpuStateFile, policy: CpuPolicy): Promise<CpuState> {
  const record = await file.read(staticPolicy);
  const state = record && toState(record, file);
  if (state === undefined || (state.shared.size === 0 && state.own.size === 0)) return freshState(policy);
  const problem = findStateProblem(state, policy);
  if (problem === undefined) return state;
  throw new CpuManagerError(
    `[cpumanager] static policy invalid state: ${problem}, please drain node and remove policy state file "${file.path}"`,
  );
}

/** The state as the file has it. */
export function toRecord({ shared, own }: CpuState): CpuRecord {
  const entries = [...own].map(([podUid, containers]) => {
    return [podUid, new Map([...containers].map(([name, cpus]) => [name, formatCpuSet(cpus)]))] as const;
  });
  return { policyName: staticPolicy, defaultCpuSet: formatCpuSet(shared), entries: new Map(entries) };
}

function toState({ defaultCpuSet, entries }: CpuRecord, file: CpuStateFile): CpuState {
  const read = (text: string, what: string): CpuSet => {
    const parsed = readCpuSet(text);
    if (parsed.problem === undefined) return parsed.cpus;
    throw file.unusable(`could not parse ${what}: ${parsed.problem}`);
  };
  const own = [...entries].map(([podUid, containers]) => {
    const sets = [...containers].map(([name, text]) => {
      const what = `cpuset "${text}" for container "${name}" in pod "${podUid}"`;
      return [name, read(text, what)] as const;
    });
    return [podUid, new Map(sets)] as const;
  });
  return { shared: read(defaultCpuSet, `default cpu set "${defaultCpuSet}"`), own: new Map(own) };
}

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
