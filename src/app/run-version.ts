import { parseArguments } from '../config/index.ts';
import { exitCodes } from './exit-codes.ts';
import { versionProgram } from './orch-program.ts';
import { printHelp } from './print-help.ts';
import type { ProgramIo } from './program-io.ts';
import { orchVersion } from './version.ts';

/** The release of the API that is served. */
const apiRelease = 'v1.20.2';

/** `orch version`. @throws OptionsError for a wrong command line */
export async function runVersion(argv: readonly string[], io: ProgramIo): Promise<number> {
  const { values } = parseArguments(versionProgram.options, argv);
  if (values.help === true) {
    await printHelp(versionProgram, io);
  } else if (values.output === 'json') {
    io.out(`${JSON.stringify({ orch: orchVersion, api: apiRelease, runtime: process.version }, null, 2)}\n`);
  } else {
    io.out(`orch ${orchVersion}\nAPI ${apiRelease}\nNode.js ${process.version}\n`);
  }
  return exitCodes.success;
}
