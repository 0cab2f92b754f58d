import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ApiAccess, ApiClient } from './api-client.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

const child = fileURLToPath(new URL('./server-child.ts', import.meta.url));

/** What the process tells. */
type Message =
  | { readonly kind: 'ready'; readonly access: ApiAccess }
  | { readonly kind: 'log'; readonly message: string; readonly identity?: string };

/** A server in a process of its own, with a data directory of its own. */
export interface ServerProcess extends AsyncDisposable {
  readonly admin: ApiClient;
  /** Messages that it logged so far. */
  readonly log: readonly string[];
  /** Asks it to end (SIGTERM) and waits until it is gone. */
  stop(): Promise<void>;
  /** Ends it at once, as a power failure would (SIGKILL), and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts a server from the sources and waits until it is ready. @throws Error with its log when it ends before. */
export async function startServerProcess(flags: readonly string[]): Promise<ServerProcess> {
  const directory = await makeTemporaryDirectory();
  const server = fork(child, [`--data-dir=${directory.path}`, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = once(server, 'exit');
  const log: string[] = [];
  server.stderr?.setEncoding('utf8').on('data', (text: string) => void log.push(text));
  const access = await Promise.race([readAccess(server, log), exited.then(() => undefined)]);
  if (access === undefined) {
    await directory.remove();
    throw new Error(`the server did not get ready: ${log.join('\n')}`);
  }
  const admin = new ApiClient(access);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    await exited;
    admin.close();
    await directory.remove();
  };
  return {
    admin,
    log,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}

function readAccess(server: ChildProcess, log: string[]): Promise<ApiAccess> {
  return new Promise((resolve) => {
    server.on('message', (message: Message) => {
      if (message.kind === 'ready') resolve(message.access);
      else log.push(message.message);
    });
  });
}
