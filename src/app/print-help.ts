import { loadColours, type ProgramSpec, renderHelp } from '../config/index.ts';
import type { ProgramIo } from './program-io.ts';

/** Prints the help of a program: as wide as the terminal, and with colours, where there is one. */
export async function printHelp(program: ProgramSpec, { outputColumns, env, out }: ProgramIo): Promise<void> {
  const colours = await loadColours({ isTerminal: outputColumns !== undefined, env });
  out(renderHelp(program, { colours, columns: outputColumns }));
}
