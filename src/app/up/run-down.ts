import { resolve } from 'node:path';
import { keepProcessAlive, pause, systemClock } from '../../base/index.ts';
import { dataDirectoryOf } from '../admin-client.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProgramIo } from '../program-io.ts';
import { startProgressLine } from '../progress-line.ts';
import { readCommand } from '../read-command.ts';
import { endLeftovers } from './end-leftovers.ts';
import { downOptions, downProgram } from './programs.ts';
import { findUp, removeUpState, upPaths } from './up-state.ts';

const pollMs = 100;
const downLine = 'orch is down; pods run on\n';

/** `orch down`: stops `orch up` and waits for its end. Returns the exit code. @throws OptionsError */
export async function runDown(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, { program: downProgram, specs: downOptions });
  if (command === undefined) return exitCodes.success;
  const paths = upPaths(resolve(command.flags.dataDir ?? dataDirectoryOf(io)));
  const running = await findUp(paths);
  const letGo = keepProcessAlive();
  if (running === undefined) {
    const report = (text: string) => io.err(`${text}\n`);
    const hadLeftovers = await endLeftovers(paths, { clock: systemClock, report });
    await removeUpState(paths);
    letGo();
    io.out(hadLeftovers ? downLine : 'nothing runs\n');
    return exitCodes.success;
  }
  process.kill(running.pid, 'SIGTERM');
  using progress = startProgressLine(io);
  const never = new AbortController().signal;
  while ((await findUp(paths))?.pid === running.pid) {
    progress.show('stopping node and server');
    await pause(systemClock, pollMs, never);
  }
  letGo();
  progress[Symbol.dispose]();
  io.out(downLine);
  return exitCodes.success;
}
