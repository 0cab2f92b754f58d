import { statsProgram, storeOptions } from '../config/maintenance/index.ts';
import { exitCodes } from './exit-codes.ts';
import { findStore } from './find-store.ts';
import { formatSize } from './format-size.ts';
import type { ProgramIo } from './program-io.ts';
import { readCommand } from './read-command.ts';

/** `orch storage stats`. Returns the exit code. @throws OptionsError, and what keeps the store from answering */
export async function runStorageStats(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = readCommand(argv, io, { program: statsProgram, specs: storeOptions });
  if (command === undefined) return exitCodes.success;
  using store = await findStore(command.flags, io);
  const stats = await store.maintenance.stats();
  if (command.flags.output === 'json') {
    io.out(`${JSON.stringify(stats, null, 2)}\n`);
    return exitCodes.success;
  }
  const lines = [
    ['Store', store.name],
    ['Driver', stats.driver],
    ['Dialect', stats.dialect],
    ['Objects', stats.objectCount],
    ['Size', formatSize(stats.sizeBytes)],
    ['Revision', stats.revision],
    ['History after', stats.compactedRevision],
  ];
  io.out(lines.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join(''));
  return exitCodes.success;
}
