import { nearestName, OptionsError, renderHelp } from '../config/index.ts';
import { storageProgram } from '../config/maintenance/index.ts';
import { exitCodes } from './exit-codes.ts';
import type { ProgramIo } from './program-io.ts';

/** `orch storage` without one of its commands: help, or an error that says what was likely meant. @throws OptionsError */
export function runStorage([word]: readonly string[], io: ProgramIo): number {
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    io.out(renderHelp(storageProgram));
    return exitCodes.success;
  }
  const names = (storageProgram.commands ?? []).map(({ name }) => name.replace('orch storage ', ''));
  const near = nearestName(word, names);
  const kind = word.startsWith('-') ? 'flag' : 'command';
  throw new OptionsError([`unknown ${kind} ${word}${near === undefined ? '' : `; did you mean ${near}?`}`]);
}
