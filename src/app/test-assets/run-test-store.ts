import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { OptionsError } from '../../config/index.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProgramIo } from '../program-io.ts';
import { readCommand } from '../read-command.ts';
import { testStoreOptions, testStoreProgram } from './programs.ts';

/**
 * `orch test-assets store`: answers `/health` as etcd does, until it is told to stop. Returns the exit code.
 *
 * @throws OptionsError for a wrong command line; Error for an address that cannot be listened on
 */
export async function runTestStore(
  argv: readonly string[],
  io: ProgramIo,
  untilStopped: () => Promise<string>,
): Promise<number> {
  const command = await readCommand(argv, io, { program: testStoreProgram, specs: testStoreOptions });
  if (command === undefined) return exitCodes.success;
  const stopped = untilStopped();
  const servers = await Promise.all(command.flags.listenClientUrls.map(listenAt));
  // Older helpers wait for this line.
  for (const url of command.flags.listenClientUrls)
    io.err(`serving insecure client requests on ${new URL(url).host}\n`);
  await stopped;
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  return exitCodes.success;
}

async function listenAt(text: string): Promise<Server> {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:') {
    throw new OptionsError([
      `--listen-client-urls=${text}: must be a URL with http://; there is no TLS here`,
    ]);
  }
  const server = createServer(answer);
  server.listen(Number(url.port || '80'), url.hostname.replace(/^\[|\]$/g, ''));
  await once(server, 'listening');
  return server;
}

const answer: RequestListener = (request, response) => {
  const isHealth = request.url === '/health';
  response.writeHead(isHealth ? 200 : 404, { 'Content-Type': isHealth ? 'application/json' : 'text/plain' });
  response.end(isHealth ? '{"health":"true"}' : '404 page not found\n');
};
