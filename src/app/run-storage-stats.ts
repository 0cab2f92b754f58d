import { statsProgram, storeOptions } from '../config/maintenance/index.ts';
import { exitCodes } from './exit-codes.ts';
import { findStore } from './find-store.ts';
import { formatSize } from './format-size.ts';
import { renderTable } from './human-table.ts';
import type { ProgramIo } from './program-io.ts';
import { readCommand } from './read-command.ts';

/** `orch storage stats`. Returns the exit code. @throws OptionsError, and what keeps the store from answering */
export async function runStorageStats(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, { program: statsProgram, specs: storeOptions });
  if (command === undefined) return exitCodes.success;
  using store = await findStore(command.flags, io);
  const stats = await store.maintenance.stats();
  if (command.flags.output === 'json') {
    io.out(`${JSON.stringify(stats, null, 2)}\n`);
    return exitCodes.success;
  }
  const rows = [
    ['Store', store.name],
    ['Driver', stats.driver],
    ['Dialect', stats.dialect],
    ['Objects', stats.objectCount],
    ['Size', formatSize(stats.sizeBytes)],
    ['Revision', stats.revision],
    ['History after', stats.compactedRevision],
  ];
  if (io.outputColumns === undefined) {
    io.out(rows.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join(''));
  } else {
    io.out(await renderTable({ rows: rows.map((row) => row.map(String)) }, io));
  }
  return exitCodes.success;
}
