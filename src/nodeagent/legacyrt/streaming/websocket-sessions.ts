import type { IncomingMessage } from 'node:http';
import { Duplex, PassThrough, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { acceptWebSocket } from '../../../net/http/index.ts';
import type { CommandProtocol } from './protocols.ts';
import type { CommandSession, PortSession, RequestedStreams } from './session.ts';
import type { SpdyClient } from './spdy-sessions.ts';

const maxMessageBytes = 1024 * 1024;
/** Numbers of a command's channels. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
const statusVersion = 4;

/** Messages of a client, each led by the number of its channel. */
class ChannelSocket {
  readonly #socket: WebSocket;
  readonly #isBase64: boolean;
  readonly #readers = new Map<number, PassThrough>();

  constructor(socket: WebSocket, isBase64: boolean) {
    this.#socket = socket;
    this.#isBase64 = isBase64;
    socket.on('error', () => socket.terminate());
    socket.on('message', (message: Buffer) => this.#take(message));
    socket.on('close', () => {
      for (const reader of this.#readers.values()) reader.end();
    });
  }

  reader(channel: number): PassThrough {
    const reader = new PassThrough();
    reader.on('resume', () => this.#socket.resume());
    reader.on('drain', () => this.#socket.resume());
    reader.on('error', () => {});
    this.#readers.set(channel, reader);
    return reader;
  }

  writer(channel: number): Writable {
    const writer = new Writable({ write: (chunk: Buffer, _, done) => this.send(channel, chunk, done) });
    writer.on('error', () => {}); // The client has gone.
    return writer;
  }

  send(channel: number, bytes: Buffer, done: (error?: Error | null) => void): void {
    const message = this.#isBase64
      ? `${channel}${bytes.toString('base64')}`
      : Buffer.concat([Buffer.from([channel]), bytes]);
    this.#socket.send(message, done);
  }

  #take(message: Buffer): void {
    if (message.length === 0) return;
    const lead = message[0] ?? 0;
    const channel = this.#isBase64 ? lead - 0x30 : lead;
    const rest = message.subarray(1);
    const bytes = this.#isBase64 ? Buffer.from(rest.toString('latin1'), 'base64') : rest;
    const reader = this.#readers.get(channel);
    if (reader === undefined || reader.writableEnded || bytes.length === 0) return;
    if (!reader.write(bytes)) this.#socket.pause();
  }
}

/** Agrees with a client on a protocol and makes its channels the streams of a command. */
export async function openWebsocketCommand(
  client: SpdyClient & { readonly request: IncomingMessage },
  desired: RequestedStreams,
  protocol: CommandProtocol,
): Promise<CommandSession> {
  const socket = await accept(client, protocol.name);
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  const channelSocket = new ChannelSocket(socket, protocol.isBase64);
  return {
    stdin: desired.stdin ? channelSocket.reader(channels.stdin) : undefined,
    stdout: desired.stdout ? channelSocket.writer(channels.stdout) : undefined,
    stderr: desired.stderr ? channelSocket.writer(channels.stderr) : undefined,
    resize: desired.tty ? channelSocket.reader(channels.resize) : undefined,
    error: channelSocket.writer(channels.error),
    hasStatus: protocol.version >= statusVersion,
    closed: closed.signal,
    end: () => socket.close(1000),
  };
}

/**
 * Makes two channels for each port, and begins each with its number. The connection ends well when all ports have, also
 * when nobody listened on them. Resolves when it has ended, or the client has gone.
 */
export async function openWebsocketPorts(
  client: SpdyClient & { readonly request: IncomingMessage },
  { ports, protocol }: { readonly ports: readonly number[]; readonly protocol: CommandProtocol },
  onPort: (session: PortSession) => Promise<void>,
): Promise<void> {
  const socket = await accept(client, protocol.name);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const ended: Promise<void>[] = [];
  const channelSocket = new ChannelSocket(socket, protocol.isBase64);
  for (const [index, port] of ports.entries()) {
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    const [data, error] = [index * 2, index * 2 + 1];
    for (const channel of [data, error]) channelSocket.send(channel, number, () => {});
    const pair = { readable: channelSocket.reader(data), writable: channelSocket.writer(data) };
    ended.push(onPort({ port, data: Duplex.from(pair), error: channelSocket.writer(error) }));
  }
  await Promise.all(ended);
  socket.close(1000);
  await closed;
}

function accept(
  { request, socket, first }: SpdyClient & { readonly request: IncomingMessage },
  protocol: string,
): Promise<WebSocket> {
  const chooseProtocol = (): string | false => (protocol === '' ? false : protocol);
  return acceptWebSocket(request, { socket, head: first }, { maxMessageBytes, chooseProtocol });
}
