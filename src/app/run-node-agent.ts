import { parseArguments, renderHelp } from '../config/index.ts';
import { exitCodes } from './exit-codes.ts';
import { nodeAgentProgram } from './orch-program.ts';
import type { ProgramIo } from './program-io.ts';
import { orchVersion } from './version.ts';

/** `nodeagent`: says what it can do so far. @throws OptionsError for a wrong command line */
export function runNodeAgent(argv: readonly string[], io: ProgramIo): number {
  const { values } = parseArguments(nodeAgentProgram.options, argv);
  if (values.help === true) {
    io.out(renderHelp(nodeAgentProgram));
    return exitCodes.success;
  }
  if (values.version === true) {
    io.out(`nodeagent ${orchVersion}\n`);
    return exitCodes.success;
  }
  io.err('nodeagent: the node agent is not part of this version of orch yet; see nodeagent --help\n');
  return exitCodes.failure;
}
