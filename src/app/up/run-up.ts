/**
 * `orch up`: a whole cluster on one machine. Server (with controllers and scheduler) and node agent run as processes of
 * their own below one supervisor, which joins the machine to the server, starts what ends again, and stops them in order.
 */

import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { keepProcessAlive, makeDirectory, pause, systemClock } from '../../base/index.ts';
import type { ConfigOf } from '../../config/index.ts';
import { dataDirectoryOf } from '../admin-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { findLaunchers } from '../find-launchers.ts';
import type { ProgramIo } from '../program-io.ts';
import { startProgressLine } from '../progress-line.ts';
import { readCommand } from '../read-command.ts';
import { endLeftovers } from './end-leftovers.ts';
import { prepareMachine } from './prepare-machine.ts';
import { upOptions, upProgram } from './programs.ts';
import { showStatus } from './show-status.ts';
import { startMachine } from './start-machine.ts';
import { findUp, removeUpState, type UpPaths, upPaths } from './up-state.ts';

type UpFlags = ConfigOf<typeof upOptions>;

const pollMs = 100;

/** `orch up`. Returns the exit code. @throws OptionsError, Error that says what is missing or does not run */
export async function runUp(
  argv: readonly string[],
  io: ProgramIo,
  untilStopped: () => Promise<string>,
): Promise<number> {
  const command = await readCommand(argv, io, { program: upProgram, specs: upOptions });
  if (command === undefined) return exitCodes.success;
  const { flags } = command;
  const paths = upPaths(resolve(flags.dataDir ?? dataDirectoryOf(io)));
  if (flags.status) return showStatus(paths, io);
  if (io.env.ORCH_DIALECT === 'kubernetes') {
    throw new Error('orch up speaks the dialect orch only: unset ORCH_DIALECT');
  }
  const running = await findUp(paths);
  if (running !== undefined) {
    throw new Error(`orch up runs already, as process ${running.pid}. Stop it with orch down`);
  }
  await prepareMachine({
    isRoot: io.isRoot,
    containerRuntimeEndpoint: flags.containerRuntimeEndpoint,
    cniConfDir: flags.cniConfDir,
    podCidr: flags.podCidr,
    report: (text) => io.err(`${text}\n`),
  });
  await makeDirectory(paths.logs);
  return flags.detach ? runDetached(argv, paths, io) : runHere(flags, paths, io, untilStopped);
}

async function runHere(
  flags: UpFlags,
  paths: UpPaths,
  io: ProgramIo,
  untilStopped: () => Promise<string>,
): Promise<number> {
  const stopping = new AbortController();
  const stopped = untilStopped().then((reason) => {
    stopping.abort(new Error(`stopped by ${reason}`));
    return reason;
  });
  const nodeName = flags.nodeName || hostname().toLowerCase();
  const letGo = keepProcessAlive();
  await endLeftovers(paths, { clock: systemClock, report: (text) => io.err(`${text}\n`) });
  letGo();
  const progress = startProgressLine(io);
  try {
    await using machine = await startMachine({
      io,
      clock: systemClock,
      paths,
      nodeName,
      securePort: flags.securePort,
      serverFlags: flags.serverFlag,
      nodeFlags: flags.nodeFlag,
      containerRuntimeEndpoint: flags.containerRuntimeEndpoint,
      timeoutMs: flags.timeoutMs,
      signal: stopping.signal,
      show: (text) => progress.show(text),
      report: (text) => io.err(`${text}\n`),
    });
    progress[Symbol.dispose]();
    io.out(readyLine(nodeName));
    const reason = await stopped;
    io.err(`stopping after ${reason}; pods run on\n`);
    await machine[Symbol.asyncDispose]();
    return exitCodes.success;
  } finally {
    progress[Symbol.dispose]();
    await removeUpState(paths);
  }
}

const readyLine = (nodeName: string): string =>
  `orch is up: node ${nodeName} takes pods. Next: ctl get nodes\n`;

/** Starts the same in the background, and waits until it is ready. */
async function runDetached(argv: readonly string[], paths: UpPaths, io: ProgramIo): Promise<number> {
  const logFile = join(paths.logs, 'up.log');
  const log = openSync(logFile, 'w', 0o600);
  const own = argv.filter((word) => !/^(--detach(=.*)?|-d)$/.test(word));
  const child = spawn(join(findLaunchers(), 'orch'), ['up', ...own], {
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  let ending: string | undefined;
  child.on('error', (error) => {
    ending = error.message;
  });
  child.on('exit', (code) => {
    ending = `exit code ${code}`;
  });
  using progress = startProgressLine(io);
  const never = new AbortController().signal;
  for (;;) {
    const state = await findUp(paths);
    if (state?.isReady === true) {
      child.unref();
      progress[Symbol.dispose]();
      io.out(readyLine(state.nodeName));
      return exitCodes.success;
    }
    if (ending !== undefined) throw new Error(`orch up ended (${ending}):\n${await tailOf(logFile)}`);
    progress.show('starting server and node');
    await pause(systemClock, pollMs, never);
  }
}

const shownLines = 20;

async function tailOf(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-shownLines).join('\n');
}
