/** What the state file says. Sets of CPUs are texts such as `0-2,4`. */
export interface CpuRecord {
  readonly policyName: string;
  readonly defaultCpuSet: string;
  /** By uid of the pod and name of the container. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Offset and prime of FNV-1a, 32 bits (draft-eastlake-fnv). */
const fnv = { offset: 0x811c9dc5, prime: 0x01000193 } as const;

/**
 * The checksum that release 1.20 writes and demands: FNV-1a of its own rendering of the record, so that
 * either of the two can go on with a file of the other.
 */
export function checksumOf({ policyName, defaultCpuSet, entries }: CpuRecord): number {
  const pods = renderMap(entries, (containers) => renderMap(containers, (cpus) => cpus));
  return hash(
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

function hash(text: string): number {
  let sum: number = fnv.offset;
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, fnv.prime);
  return sum >>> 0;
}
