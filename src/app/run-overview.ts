import { nearestName, renderHelp } from '../config/index.ts';
import { exitCodes } from './exit-codes.ts';
import { orchProgram } from './orch-program.ts';
import { type ProgramIo, processIo } from './program-io.ts';

/** `orch` with `--help`, or with a word that is no command: help, or an error that says what was likely meant. */
export async function runOverview(word: string, io: ProgramIo = processIo()): Promise<number> {
  if (word === '--help' || word === '-h' || word === 'help') {
    io.out(renderHelp(orchProgram));
    return exitCodes.success;
  }
  const names = (orchProgram.commands ?? []).map((command) => command.name.replace('orch ', ''));
  const near = nearestName(word, names);
  const kind = word.startsWith('-') ? 'flag' : 'command';
  io.err(
    `orch: unknown ${kind} ${word}${near === undefined ? '' : `; did you mean ${near}?`}\nSee orch --help\n`,
  );
  return exitCodes.usage;
}
