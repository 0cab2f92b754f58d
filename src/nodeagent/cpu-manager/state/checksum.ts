import { fnv1a } from '../../../base/index.ts';

/** What the state file says. Sets of CPUs are texts such as `0-2,4`. */
export interface CpuRecord {
  readonly policyName: string;
  readonly defaultCpuSet: string;
  /** By uid of the pod and name of the container. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * The checksum that release 1.20 writes and demands: FNV-1a of its own rendering of the record, so that
 * either of the two can go on with a file of the other.
 */
export function checksumOf({ policyName, defaultCpuSet, entries }: CpuRecord): number {
  const pods = renderMap(entries, (containers) => renderMap(containers, (cpus) => cpus));
  return fnv1a(
    `(*state.CPUManagerCheckpoint){PolicyName:(string)${policyName} DefaultCPUSet:(string)${defaultCpuSet} ` +
      `Entries:(map[string]map[string]string)${pods} Checksum:(checksum.Checksum)0}`,
  );
}

function renderMap<T>(map: ReadonlyMap<string, T>, render: (value: T) => string): string {
  const parts = [...map]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}:${render(value)}`);
  return `map[${parts.join(' ')}]`;
}
