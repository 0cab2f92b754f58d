import { completionShells, OptionsError, parseArguments, renderCompletion } from '../config/index.ts';
import { exitCodes } from './exit-codes.ts';
import { loadPrograms } from './load-programs.ts';
import { completionProgram } from './orch-program.ts';
import { printHelp } from './print-help.ts';
import type { ProgramIo } from './program-io.ts';

/** `orch completion SHELL`: prints the completion scripts of all programs. @throws OptionsError for another shell */
export async function runCompletion(argv: readonly string[], io: ProgramIo): Promise<number> {
  const { values, positionals } = parseArguments(completionProgram.options, argv);
  if (values.help === true) {
    await printHelp(completionProgram, io);
    return exitCodes.success;
  }
  const shell = completionShells.find((name) => name === positionals[0]);
  if (shell === undefined || positionals.length > 1) {
    throw new OptionsError([`completion: give one shell: ${completionShells.join(', ')}`]);
  }
  for (const program of await loadPrograms()) io.out(renderCompletion(program, shell));
  return exitCodes.success;
}
