import { createServer } from 'node:net';

/** Not those that the system gives to anybody at any time: between the look and the use nobody else takes one. */
const lowestPort = 20_000;
const portCount = 12_000;
let nextPort = Math.floor(Math.random() * portCount);

/** Ports of loopback that nobody listens on. @throws Error when there are too few */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; found.length < count && tries < portCount; tries++) {
    const port = lowestPort + (nextPort++ % portCount);
    if (await isFree(port)) found.push(port);
  }
  if (found.length < count) throw new Error(`fewer than ${count} free ports`);
  return found;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
