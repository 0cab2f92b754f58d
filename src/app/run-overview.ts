import { describeUnknown } from '../config/index.ts';
import { exitCodes } from './exit-codes.ts';
import { orchProgram } from './orch-program.ts';
import { printHelp } from './print-help.ts';
import { type ProgramIo, processIo } from './program-io.ts';

/** `orch` with a flag instead of a command: help, or an error that says what was likely meant. */
export async function runOverview(word: string, io: ProgramIo = processIo()): Promise<number> {
  if (word === '--help' || word === '-h' || word === 'help') {
    await printHelp(orchProgram, io);
    return exitCodes.success;
  }
  const names = (orchProgram.commands ?? []).map((command) => command.name.replace('orch ', ''));
  io.err(`orch: ${describeUnknown(word, names)}\nSee orch --help\n`);
  return exitCodes.usage;
}
