import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { startServe } from '../test/support/serve-process.ts';
import type { LoopDelay, ServerOrder, ServerReport } from './measured-server.ts';
import { nextMessage } from './next-message.ts';
import type { RawAccess } from './raw-connection.ts';

/** The server that is measured. */
export interface BenchServer extends AsyncDisposable {
  readonly access: RawAccess;
  /** Process whose CPU and memory count; undefined when nobody knows it. */
  readonly pid: number | undefined;
  /** Delays of its event loop since the last call, where it tells. */
  delay?(): Promise<LoopDelay>;
  /** Begins a profile of its main thread, where it can; the function given back ends it and writes it to a file. */
  profile?(): Promise<(path: string) => Promise<void>>;
}

/** What the launcher gives the runtime of a server. */
const launcherFlags = ['--max-semi-space-size=16', '--heap-growing-percent=100'];
const launcherEnvironment = { MALLOC_ARENA_MAX: '1' };

/** The program as users run it: tests make it say more than it says by itself. */
export async function startProgram(flags: readonly string[]): Promise<BenchServer> {
  const { access, pid, ...server } = await startServe(['-v=0', ...flags]);
  return { access, pid, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The same server in a process that tells of its event loop. @throws Error when it does not start. */
export async function startMeasured(flags: readonly string[]): Promise<BenchServer> {
  const child = fork(new URL('./measured-server.ts', import.meta.url), [...flags], {
    execArgv: launcherFlags,
    env: { ...process.env, ...launcherEnvironment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = await nextReport(child);
  if (ready.kind !== 'ready') throw new Error('the server did not start');
  const { url, authorityPem, adminCertificatePem: certificatePem, adminKeyPem: keyPem } = ready;
  const ask = (order: ServerOrder): Promise<ServerReport> => {
    child.send(order);
    return nextReport(child);
  };
  return {
    access: { url, authorityPem, certificatePem, keyPem },
    pid: child.pid,
    async delay() {
      const report = await ask('delay');
      if (report.kind !== 'delay') throw new Error('the server told something else');
      return report.delay;
    },
    async profile() {
      await ask('profile');
      return async (path) => void (await ask({ saveProfile: path }));
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** @throws Error when the server ends instead. */
function nextReport(child: ChildProcess): Promise<ServerReport> {
  // The entry sends nothing else.
  return nextMessage(child, 'the server') as Promise<ServerReport>;
}

export interface ForeignOptions {
  readonly url: string;
  readonly token: string | undefined;
  /** PEM file of the authority of its certificate, which is not checked without. */
  readonly authorityFile: string | undefined;
  readonly pid: number | undefined;
}

/** Any other server that is running already. */
export async function foreignServer({
  url,
  token,
  authorityFile,
  pid,
}: ForeignOptions): Promise<BenchServer> {
  const authorityPem = authorityFile === undefined ? '' : await readFile(authorityFile, 'utf8');
  return { access: { url, token, authorityPem }, pid, async [Symbol.asyncDispose]() {} };
}
