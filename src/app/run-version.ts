import { parseArguments } from '../config/index.ts';
import { apiRelease, orchVersion } from '../machinery/api-release.ts';
import { exitCodes } from './exit-codes.ts';
import { versionProgram } from './orch-program.ts';
import { printHelp } from './print-help.ts';
import type { ProgramIo } from './program-io.ts';

/** `orch version`. @throws OptionsError for a wrong command line */
export async function runVersion(argv: readonly string[], io: ProgramIo): Promise<number> {
  const { values } = parseArguments(versionProgram.options, argv);
  if (values.help === true) {
    await printHelp(versionProgram, io);
  } else if (values.output === 'json') {
    io.out(
      `${JSON.stringify({ orch: orchVersion, api: apiRelease.version, runtime: process.version }, null, 2)}\n`,
    );
  } else {
    io.out(`orch ${orchVersion}\nAPI ${apiRelease.version}\nNode.js ${process.version}\n`);
  }
  return exitCodes.success;
}
