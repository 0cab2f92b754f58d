import { compactProgram, storeOptions } from '../config/maintenance/index.ts';
import { exitCodes } from './exit-codes.ts';
import { findStore } from './find-store.ts';
import { formatSize } from './format-size.ts';
import type { ProgramIo } from './program-io.ts';
import { readCommand } from './read-command.ts';

/** `orch storage compact`. Returns the exit code. @throws OptionsError, and what keeps the store from compacting */
export async function runStorageCompact(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, { program: compactProgram, specs: storeOptions });
  if (command === undefined) return exitCodes.success;
  using store = await findStore(command.flags, io);
  const report = await store.maintenance.compact();
  if (command.flags.output === 'json') {
    io.out(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    const { compactedRevision, sizeBeforeBytes, sizeAfterBytes } = report;
    io.out(
      `${store.name}: history up to revision ${compactedRevision} is forgotten, ${formatSize(sizeBeforeBytes)} became ${formatSize(sizeAfterBytes)}\n`,
    );
  }
  return exitCodes.success;
}
