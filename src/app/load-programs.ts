import type { ProgramSpec } from '../config/index.ts';
import { loadCtlProgram } from '../ctl/index.ts';
import { orchDialect } from '../machinery/dialect.ts';
import { nodeAgentProgram } from '../nodeagent/options/index.ts';
import { orchProgram } from './orch-program.ts';

/** All programs with all of their commands, orch first, then ctl and nodeagent: for documents, not for running them. */
export async function loadPrograms(): Promise<readonly [ProgramSpec, ProgramSpec, ProgramSpec]> {
  return [orchProgram, await loadCtlProgram(), nodeAgentProgram(orchDialect)];
}
