import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, writeFileAtomic } from '../../../base/index.ts';
import { type CpuRecord, checksumOf } from './checksum.ts';

/** Why CPUs cannot be given out on this machine, with what is to be done about it. */
export class CpuManagerError extends Error {
  override readonly name = 'CpuManagerError';
}

/** Name of the file below the agent's root folder; release 1.20's. */
const fileName = 'cpu_manager_state';

/** Where an agent that was started anew finds who has which CPUs. */
export class CpuStateFile {
  readonly path: string;
  readonly #agentName: string;

  /** `agentName` is what an operator has to start again. */
  constructor(rootDir: string, agentName: string) {
    this.path = join(rootDir, fileName);
    this.#agentName = agentName;
  }

  /**
   * What was written last under the same policy; undefined when nothing ever was.
   *
   * @throws CpuManagerError for a file of another policy, or one that nobody wrote
   */
  async read(policyName: string): Promise<CpuRecord | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw this.unusable(error.message);
    });
    if (text === undefined) return undefined;
    const record = parseCpuRecord(text);
    if (record === undefined) throw this.unusable('checkpoint is corrupted');
    if (record.policyName === policyName) return record;
    throw this.unusable(
      `configured policy "${policyName}" differs from state checkpoint policy "${record.policyName}"`,
    );
  }

  /** Replaces the file: whoever reads it sees the former text or this one, also after a loss of power. @throws Error */
  write(record: CpuRecord): Promise<void> {
    return writeFileAtomic(this.path, formatCpuRecord(record), { isDurable: true });
  }

  /** The error for a file that the agent cannot go on with. */
  unusable(why: string): CpuManagerError {
    return new CpuManagerError(
      `could not restore state from checkpoint: ${why}, please drain this node and delete the CPU manager checkpoint file "${this.path}" before restarting ${this.#agentName}`,
    );
  }
}

/** The file's text; equal records have equal texts. */
function formatCpuRecord(record: CpuRecord): string {
  const { policyName, defaultCpuSet, entries } = record;
  const sorted = [...entries].sort(byKey).map(([uid, containers]) => {
    return [uid, Object.fromEntries([...containers].sort(byKey))] as const;
  });
  return JSON.stringify({
    policyName,
    defaultCpuSet,
    ...(sorted.length > 0 ? { entries: Object.fromEntries(sorted) } : {}),
    checksum: checksumOf(record),
  });
}

/** The reverse; undefined for a text that no agent wrote. A checksum of 0 fits everything, as in release 1.20. */
function parseCpuRecord(text: string): CpuRecord | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const { policyName = '', defaultCpuSet = '', entries = {}, checksum = 0 } = value;
  if (typeof policyName !== 'string' || typeof defaultCpuSet !== 'string') return undefined;
  const pods = readMap(entries, (containers) => readMap(containers, readText));
  if (pods === undefined) return undefined;
  const record = { policyName, defaultCpuSet, entries: pods };
  return checksum === 0 || checksum === checksumOf(record) ? record : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // whatever it is, it is no record
  }
}

function readMap<T>(value: unknown, read: (part: unknown) => T | undefined): Map<string, T> | undefined {
  if (!isJsonObject(value)) return undefined;
  const map = new Map<string, T>();
  for (const [key, part] of Object.entries(value)) {
    const known = read(part);
    if (known === undefined) return undefined;
    map.set(key, known);
  }
  return map;
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
