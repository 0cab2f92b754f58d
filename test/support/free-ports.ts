import { createServer, type Server } from 'node:net';

/** Not those that the system gives to anybody at any time: between the look and the use nobody else takes one. */
const lowestPort = 20_000;
const portCount = 12_000;
let nextPort = Math.floor(Math.random() * portCount);

/**
 * Ports of loopback that nobody listens on. They are this process's until it ends: no other gets them from here, so
 * that what listens there may stop and start again.
 * @throws Error when there are too few
 */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; found.length < count && tries < portCount; tries++) {
    const port = lowestPort + (nextPort++ % portCount);
    if ((await isFree(port)) && (await claim(port))) found.push(port);
  }
  if (found.length < count) throw new Error(`fewer than ${count} free ports`);
  return found;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await listens(server.listen(port, '127.0.0.1'));
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

/** Holds a name that belongs to the port: the kernel gives an abstract socket to one process, and takes it back at its end. */
function claim(port: number): Promise<boolean> {
  return listens(createServer().listen(`\0port-of-a-test-${port}`).unref());
}

function listens(server: Server): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false)).once('listening', () => resolve(true));
  });
}
