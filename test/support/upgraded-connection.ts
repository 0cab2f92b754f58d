import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type TestServer, tokens } from './test-server.ts';

/** A connection on which a request for another protocol was sent. */
export interface UpgradedConnection {
  readonly socket: TLSSocket;
  /** Status line and headers of the answer. */
  readonly head: string;
  /** What came after the head until there were so many bytes, or the connection ended. */
  read(sizeBytes: number): Promise<Buffer>;
  /** All that comes until the end. */
  readToEnd(): Promise<Buffer>;
}

/** Sends a request with `Upgrade` as the administrator, and reads the head of the answer. */
export async function openUpgrade(
  { server }: TestServer,
  path: string,
  {
    method = 'POST',
    protocol = 'SPDY/3.1',
    headers = [] as readonly string[],
    first = '',
    token = tokens.admin as string,
  } = {},
): Promise<UpgradedConnection> {
  const { hostname, port, host } = new URL(server.url);
  // The types know this option of sockets only.
  const options: ConnectionOptions & { readonly allowHalfOpen: boolean } = {
    host: hostname,
    port: Number(port),
    ca: server.authorityPem,
    ALPNProtocols: ['http/1.1'],
    allowHalfOpen: true,
  };
  const socket = connect(options);
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    `Upgrade: ${protocol}`,
    `Authorization: Bearer ${token}`,
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${first}`);
  const chunks: Buffer[] = [];
  let keptBytes = 0;
  let wake = (): void => {};
  for (const event of ['readable', 'end', 'close']) socket.on(event, () => wake());
  /** Reads only when asked to, so that a test can let bytes wait. */
  const readUntil = async (isEnough: () => boolean): Promise<void> => {
    while (!isEnough() && !socket.readableEnded && !socket.destroyed) {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        chunks.push(chunk);
        keptBytes += chunk.length;
      }
    }
  };
  const joined = (): Buffer => {
    const all = Buffer.concat(chunks);
    chunks.splice(0, chunks.length, all);
    return all;
  };
  const take = (sizeBytes: number): Buffer => {
    const all = joined();
    const taken = all.subarray(0, sizeBytes);
    chunks[0] = all.subarray(sizeBytes);
    keptBytes -= taken.length;
    return taken;
  };
  await readUntil(() => joined().includes('\r\n\r\n'));
  const end = joined().indexOf('\r\n\r\n');
  const head = take(end < 0 ? keptBytes : end + 4).toString();
  return {
    socket,
    head,
    async read(sizeBytes) {
      await readUntil(() => keptBytes >= sizeBytes);
      return take(sizeBytes);
    },
    async readToEnd() {
      await readUntil(() => false);
      return take(keptBytes);
    },
  };
}
