import { checkOptions, checkProgram } from '../config/maintenance/index.ts';
import { exitCodes } from './exit-codes.ts';
import { findStore } from './find-store.ts';
import { countObjects } from './format-size.ts';
import type { ProgramIo } from './program-io.ts';
import { readCommand } from './read-command.ts';

/**
 * `orch storage check`. Returns the exit code: a failure when the store is damaged.
 * @throws OptionsError, and what keeps the store from being read
 */
export async function runStorageCheck(
  argv: readonly string[],
  io: ProgramIo,
  signal: AbortSignal,
): Promise<number> {
  const command = await readCommand(argv, io, { program: checkProgram, specs: checkOptions });
  if (command === undefined) return exitCodes.success;
  const { flags } = command;
  using store = await findStore(flags, io);
  const report = await store.maintenance.check({ isQuick: flags.quick, signal });
  const { isSound, objectCount, revision, problems } = report;
  if (flags.output === 'json') io.out(`${JSON.stringify(report, null, 2)}\n`);
  else if (isSound) io.out(`${store.name} is sound: ${countObjects(objectCount)}, revision ${revision}\n`);
  else {
    io.out(`${store.name} is damaged:\n${problems.map((problem) => `  ${problem}\n`).join('')}`);
    io.out('Stop the server and restore a backup: orch restore --force FILE\n');
  }
  return isSound ? exitCodes.success : exitCodes.failure;
}
