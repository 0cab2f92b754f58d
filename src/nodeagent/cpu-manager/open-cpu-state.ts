import type { CpuPolicy } from './allocate-pod.ts';
import { findStateProblem, freshState } from './check-state.ts';
import { type CpuSet, formatCpuSet, readCpuSet } from './cpu-set.ts';
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
