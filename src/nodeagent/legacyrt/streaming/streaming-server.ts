/**
 * The streaming server for exec, attach and port forwarding: on loopback, at URLs that are valid once and for one
 * minute. Speaks SPDY/3.1 and websockets with the protocols of release 1.20, and copies bytes between their channels
 * and connections to the engine. Authorization happens before a URL is issued.
 */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, Logger } from '../../../base/index.ts';
import type { Engine } from '../engine.ts';
import { callFailure } from '../engine-failure.ts';
import { forwardPort, type PortTarget } from './forward-port.ts';
import { chooseCommandProtocol, chooseForwardProtocol, splitProtocols } from './protocols.ts';
import { type CommandTarget, runCommand } from './run-command.ts';
import { openSpdyCommand, openSpdyPorts } from './spdy-sessions.ts';
import { openWebsocketCommand, openWebsocketPorts } from './websocket-sessions.ts';

/** What an address leads to. */
export type StreamTarget =
  | CommandTarget
  | { readonly kind: 'portforward'; readonly target: PortTarget; readonly ports: readonly number[] };

/** The engine that commands run at, and the clock that unused URLs expire by. */
export interface StreamingServerOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly logger: Logger;
}

const tokenLifeMs = 60_000;
/** Limit of URLs that are issued and not used yet (as in release 1.20). */
const maxTokens = 1000;
const tokenBytes = 16;

/** Serves the URLs that it has issued. Listens from the first one on. */
export class StreamingServer implements AsyncDisposable {
  readonly #options: StreamingServerOptions;
  readonly #targets = new Map<string, { readonly target: StreamTarget; readonly untilMs: number }>();
  readonly #sockets = new Set<Duplex>();
  #listening: Promise<Server> | undefined;
  #isClosed = false;

  constructor(options: StreamingServerOptions) {
    this.#options = options;
  }

  /** Issues a URL for one client. @throws RuntimeError `failed` when too many wait */
  async urlFor(call: string, target: StreamTarget): Promise<string> {
    const nowMs = this.#options.clock.nowMs();
    for (const [token, { untilMs }] of this.#targets) if (untilMs <= nowMs) this.#targets.delete(token);
    if (this.#targets.size >= maxTokens)
      throw callFailure(call, 'failed', 'maximum number of in-flight requests exceeded');
    this.#listening ??= this.#listen();
    const server = await this.#listening.catch((error: unknown) => {
      this.#listening = undefined;
      throw callFailure(call, 'failed', `no streaming server: ${String(error)}`, error);
    });
    const token = randomBytes(tokenBytes).toString('base64url');
    this.#targets.set(token, { target, untilMs: nowMs + tokenLifeMs });
    // A server that listens on a port has an address.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${target.kind}/${token}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#targets.clear();
    for (const socket of this.#sockets) socket.destroy();
    const server = await this.#listening?.catch(() => undefined);
    await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  }

  #listen(): Promise<Server> {
    const server = createServer((_, response) => {
      response.writeHead(400, { 'Content-Type': 'text/plain', Connection: 'close' });
      response.end('unable to upgrade: missing upgrade headers in request\n');
    });
    server.on('connection', (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      if (this.#isClosed) socket.destroy();
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, first: Buffer) => {
      socket.on('error', () => socket.destroy());
      this.#serve(request, socket, first).catch((error: unknown) => {
        this.#options.logger.info('stream ended early', { error: String(error) });
        socket.destroy();
      });
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        server.unref();
        resolve(server);
      });
    });
  }

  async #serve(request: IncomingMessage, socket: Duplex, first: Buffer): Promise<void> {
    const target = this.#take(request.url ?? '');
    if (target === undefined) return refuse(socket, '404 Not Found', 'no such stream');
    const client = { request, socket, first };
    const isWebsocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (target.kind === 'portforward')
      await (isWebsocket ? websocketPorts(client, target) : spdyPorts(client, target));
    else await (isWebsocket ? this.#websocketCommand(client, target) : this.#spdyCommand(client, target));
  }

  #take(url: string): StreamTarget | undefined {
    const [, kind, token = ''] = url.split('?')[0]?.split('/') ?? [];
    const known = this.#targets.get(token);
    this.#targets.delete(token);
    const isGood =
      known !== undefined && known.target.kind === kind && known.untilMs > this.#options.clock.nowMs();
    return isGood ? known.target : undefined;
  }

  async #spdyCommand(client: Client, target: CommandTarget): Promise<void> {
    const offered = splitProtocols(client.request.headers['x-stream-protocol-version']);
    const protocol = chooseCommandProtocol(offered);
    if (protocol === undefined) return refuseProtocols(client.socket, offered);
    acceptSpdy(client.socket, protocol.name);
    const session = await openSpdyCommand(client, streamsOf(target), protocol);
    if (session !== undefined) await runCommand(this.#options.engine, target, session);
  }

  async #websocketCommand(client: Client, target: CommandTarget): Promise<void> {
    const offered = splitProtocols(client.request.headers['sec-websocket-protocol']);
    const protocol = chooseCommandProtocol(offered);
    if (protocol === undefined) return refuse(client.socket, '403 Forbidden', '');
    const session = await openWebsocketCommand(client, streamsOf(target), protocol);
    await runCommand(this.#options.engine, target, session);
  }
}

interface Client {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly first: Buffer;
}

type PortForward = StreamTarget & { readonly kind: 'portforward' };

const streamsOf = (target: CommandTarget) => (target.kind === 'exec' ? target.exec : target.streams);

async function spdyPorts(client: Client, { target }: PortForward): Promise<void> {
  const offered = splitProtocols(client.request.headers['x-stream-protocol-version']);
  const protocol = chooseForwardProtocol(offered);
  if (protocol === undefined) return refuseProtocols(client.socket, offered);
  acceptSpdy(client.socket, protocol);
  await openSpdyPorts(client, (session) => forwardPort(target, session));
}

async function websocketPorts(client: Client, { target, ports }: PortForward): Promise<void> {
  const offered = splitProtocols(client.request.headers['sec-websocket-protocol']);
  const protocol = chooseCommandProtocol(offered);
  if (protocol === undefined) return refuse(client.socket, '403 Forbidden', '');
  await openWebsocketPorts(client, { ports, protocol }, (session) => forwardPort(target, session));
}

function acceptSpdy(socket: Duplex, protocol: string): void {
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
  if (protocol !== '') lines.push(`X-Stream-Protocol-Version: ${protocol}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
}

function refuseProtocols(socket: Duplex, offered: readonly string[]): void {
  refuse(
    socket,
    '403 Forbidden',
    `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}]`,
  );
}

function refuse(socket: Duplex, status: string, text: string): void {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
  socket.end(`${head}\r\n\r\n${text}`, () => socket.destroy());
}
