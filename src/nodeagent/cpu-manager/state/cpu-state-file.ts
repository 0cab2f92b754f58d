import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../../base/index.ts';
import type { CpuRecord } from './checksum.ts';
import { formatCpuRecord, parseCpuRecord } from './cpu-record.ts';

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
