import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { before } from 'mocha';
import { eventually } from './eventually.ts';
import { findProgram } from './find-program.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

const program = 'dbus-daemon';

/** Skips the tests of a suite where there is no message bus to start; on CI that is an error. */
export function requireMessageBus(): void {
  before(function () {
    if (findProgram(program) !== undefined) return;
    const missing = `${program} is not installed`;
    if (process.env.CI !== undefined) throw new Error(missing);
    console.error(`skipped: ${missing}`);
    this.skip();
  });
}

/** A message bus of the test's own, on which everybody may do everything. */
export interface MessageBus extends AsyncDisposable {
  /** Of its socket. */
  readonly path: string;
  readonly folder: string;
  /** As processes get it that shall take it for the system's. */
  readonly address: string;
  /** Ends the bus; the folder stays. */
  stop(): Promise<void>;
  /** Starts it anew at the same place. */
  start(): Promise<void>;
}

/** The socket's file is there a moment before it takes connections. */
function isListening(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createConnection(path);
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

const config = (path: string): string => `<!DOCTYPE busconfig PUBLIC
 "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=${path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>`;

/** Starts a bus. */
export async function startMessageBus(): Promise<MessageBus> {
  const directory = await makeTemporaryDirectory();
  const path = join(directory.path, 'bus');
  const configPath = join(directory.path, 'bus.conf');
  await writeFile(configPath, config(path));
  let child: ChildProcess | undefined;
  const bus: MessageBus = {
    path,
    folder: directory.path,
    address: `unix:path=${path}`,
    async start() {
      const daemon = findProgram(program) ?? program;
      child = spawn(daemon, [`--config-file=${configPath}`, '--nofork', '--nopidfile'], { stdio: 'ignore' });
      await eventually(async () => ((await isListening(path)) ? true : undefined));
    },
    async stop() {
      const running = child;
      child = undefined;
      if (running === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      running.once('close', () => resolve());
      running.kill('SIGTERM');
      await promise;
    },
    async [Symbol.asyncDispose]() {
      await bus.stop();
      await directory.remove();
    },
  };
  await bus.start();
  return bus;
}
