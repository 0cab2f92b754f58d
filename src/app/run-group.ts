import { tokenProgram, userProgram } from '../config/access/index.ts';
import { describeUnknown, OptionsError, type ProgramSpec } from '../config/index.ts';
import { storageProgram } from '../config/maintenance/index.ts';
import { exitCodes } from './exit-codes.ts';
import { pluginsProgram } from './oclif/plugins-program.ts';
import { printHelp } from './print-help.ts';
import type { ProgramIo } from './program-io.ts';

/** `orch storage` without one of its commands. @throws OptionsError */
export const runStorage = (argv: readonly string[], io: ProgramIo): Promise<number> =>
  runGroup(storageProgram, argv, io);

/** `orch user` without one of its commands. @throws OptionsError */
export const runUser = (argv: readonly string[], io: ProgramIo): Promise<number> =>
  runGroup(userProgram, argv, io);

/** `orch token` without one of its commands. @throws OptionsError */
export const runToken = (argv: readonly string[], io: ProgramIo): Promise<number> =>
  runGroup(tokenProgram, argv, io);

/** `orch plugins` without one of its commands. @throws OptionsError */
export const runPlugins = (argv: readonly string[], io: ProgramIo): Promise<number> =>
  runGroup(pluginsProgram, argv, io);

/** A command that does nothing itself: help, or an error that says what was likely meant. */
async function runGroup(program: ProgramSpec, [word]: readonly string[], io: ProgramIo): Promise<number> {
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    await printHelp(program, io);
    return exitCodes.success;
  }
  const names = (program.commands ?? []).map(({ name }) => name.slice(program.name.length + 1));
  throw new OptionsError([describeUnknown(word, names)]);
}
