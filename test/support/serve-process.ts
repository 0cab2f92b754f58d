import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import type { ApiAccess } from './api-client.ts';
import { keepLog } from './kept-logs.ts';

/** The launcher of the built program. */
const program = fileURLToPath(new URL('../../bin/orch', import.meta.url));

/** A server that runs as a program of its own, as users run it. */
export interface ServeProcess extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** The administrator's access, as the server wrote it down. */
  readonly access: ApiAccess;
  /** The client configuration that holds it. */
  readonly configPath: string;
  /** Time from the start of the program until it said that it is ready. */
  readonly readyAfterMs: number;
  /** What it wrote to standard error so far. */
  readonly log: () => string;
  /** Ends it at once, as a power failure would (SIGKILL), and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to end (SIGTERM). Resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** How the program is started. */
export interface StartServeOptions {
  /** Files that it writes can be no larger: as if its disk was full. In steps of 512 bytes. */
  readonly maxFileBytes?: number;
}

/**
 * Starts `orch serve` of the built program on a free port and waits until it is ready.
 *
 * @throws Error with its log when it ends before.
 */
export async function startServe(
  flags: readonly string[],
  { maxFileBytes }: StartServeOptions = {},
): Promise<ServeProcess> {
  const startedAt = performance.now();
  const hasVerbosity = flags.some((flag) => /^--?v(=|$)/.test(flag));
  const verbosity = hasVerbosity ? [] : ['-v=10'];
  const args = ['serve', '--secure-port=0', '--write-orchconfig=false', ...verbosity, ...flags];
  const limited = ['-c', `trap '' XFSZ; ulimit -f ${(maxFileBytes ?? 0) / 512}; exec "$0" "$@"`, program];
  const [command, given] = maxFileBytes === undefined ? [program, args] : ['/bin/sh', [...limited, ...args]];
  const child = spawn(command, given, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const log: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log.push(text);
    keepLog(text);
  });
  const line = await Promise.race([readyLine(child), exited.then(() => undefined)]);
  const match = /^orch is ready at (\S+) .*--orchconfig=(\S+)/.exec(line ?? '');
  const [, url, configPath] = match ?? [];
  if (url === undefined || configPath === undefined || child.pid === undefined) {
    child.kill('SIGKILL');
    throw new Error(`orch serve did not get ready: ${line ?? ''}${log.join('')}`);
  }
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    pid: child.pid,
    url,
    configPath,
    access: await readAccess(url, configPath),
    readyAfterMs: performance.now() - startedAt,
    log: () => log.join(''),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  };
}

/** The line that says that the server is ready; the pipe stays open behind it. */
async function readyLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output to read');
  const lines = createInterface({ input: child.stdout });
  const [line] = await once(lines, 'line');
  return String(line);
}

interface ConfigFile {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

async function readAccess(url: string, configPath: string): Promise<ApiAccess> {
  // The server's own file; a test that finds something else in it fails at its first request.
  const { clusters, users } = load(await readFile(configPath, 'utf8')) as ConfigFile;
  const pem = (data: string | undefined): string => Buffer.from(data ?? '', 'base64').toString();
  const user = users[0]?.user;
  return {
    url,
    authorityPem: pem(clusters[0]?.cluster['certificate-authority-data']),
    certificatePem: pem(user?.['client-certificate-data']),
    keyPem: pem(user?.['client-key-data']),
  };
}
