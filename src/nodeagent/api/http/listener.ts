import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { AgentExchange } from './exchange.ts';

/** Serves requests. Must not reject. */
export type Serve = (exchange: AgentExchange) => Promise<void>;

/** Where to listen, and what for. */
export interface ListenerOptions {
  readonly address: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly serve: Serve;
}

/** Where to listen with TLS. */
export interface SecureListenerOptions extends ListenerOptions {
  /** Undefined: there is no certificate yet, and connections are refused until `setTls`. */
  readonly tls: SecureContextOptions | undefined;
  /** Whether clients are asked for certificates. */
  readonly asksForCertificate: boolean;
}

/** A server that accepts connections. Disposing closes it and every connection. */
export interface Listener extends AsyncDisposable {
  readonly port: number;
}

/** A server with TLS, whose certificate can be replaced. */
export interface SecureListener extends Listener {
  /** Serves new connections with another certificate, or checks clients against other authorities. */
  setTls(tls: SecureContextOptions): void;
}

/** First byte of a TLS record that opens a handshake. */
const handshakeByte = 0x16;
/** A fatal alert `internal_error` (RFC 8446, section 6). */
const internalErrorAlert = Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x50]);
const notTls = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';
/** How long a connection may stay silent before its first byte. */
const firstByteTimeoutMs = 30_000;
const keepAliveTimeoutMs = 90_000;
const headersTimeoutMs = 30_000;
const maxHeaderBytes = 1024 * 1024;
/** A log that is followed may be read for days; only heads have to come in time. */
const settings = {
  keepAliveTimeout: keepAliveTimeoutMs,
  headersTimeout: headersTimeoutMs,
  requestTimeout: 0,
  maxHeaderSize: maxHeaderBytes,
};
// Not by `import`, which would load the WebSocket client among all exports: 6 MB.
const http = process.getBuiltinModule('node:http');

/** Listens without TLS. @throws Error when the port cannot be had */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const server = http.createServer(settings);
  const connections = new Connections(options.serve);
  connections.attach(server);
  server.on('connection', (socket) => connections.track(socket));
  const port = await open(server, options);
  return { port, [Symbol.asyncDispose]: () => close(server, connections) };
}

/** Listens with TLS; who speaks plain HTTP there is told so. @throws Error when the port cannot be had */
export async function listenSecurely(options: SecureListenerOptions): Promise<SecureListener> {
  const connections = new Connections(options.serve);
  const server = createSecureServer({
    ...settings,
    ...options.tls,
    requestCert: options.asksForCertificate,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  connections.attach(server);
  server.on('tlsClientError', () => {}); // a peer that speaks no TLS is no event of ours
  server.emit('listening'); // it never does by itself, and would not watch over slow requests
  let hasCertificate = options.tls !== undefined;
  const front = createTcpServer((socket) => {
    connections.track(socket);
    sortOut(socket, () => (hasCertificate ? server : undefined));
  });
  const port = await open(front, options);
  return {
    port,
    setTls(tls) {
      server.setSecureContext(tls);
      hasCertificate = true;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await close(front, connections);
    },
  };
}

/** Looks at the first byte of a connection, and puts it back for the TLS server. */
function sortOut(socket: Socket, tlsServer: () => SecureServer | undefined): void {
  socket.on('error', () => socket.destroy());
  socket.setTimeout(firstByteTimeoutMs, () => socket.destroy());
  socket.once('data', (first) => {
    socket.setTimeout(0);
    socket.pause();
    if (first[0] !== handshakeByte) return socket.end(notTls);
    const server = tlsServer();
    if (server === undefined) return socket.end(internalErrorAlert);
    socket.unshift(first);
    server.emit('connection', socket);
    return undefined;
  });
}

function open(server: TcpServer, { address, port }: ListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port); // it listens on TCP
    });
  });
}

function close(server: TcpServer, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    connections.destroy();
  });
}

/** Turns requests into exchanges, and knows every open connection. */
class Connections {
  readonly #serve: Serve;
  readonly #open = new Set<Duplex>();
  readonly #stopping = new AbortController();

  constructor(serve: Serve) {
    this.#serve = serve;
  }

  attach(server: Server | SecureServer): void {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      response.on('error', () => {});
      this.#accept(request, response, undefined);
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const response = new http.ServerResponse(request);
      response.assignSocket(socket as Socket); // TLS and TCP sockets both are such
      response.shouldKeepAlive = false;
      response.on('error', () => {});
      response.on('finish', () => socket.end());
      socket.on('error', () => socket.destroy());
      this.#accept(request, response, { socket, head });
    });
  }

  track(socket: Duplex): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  destroy(): void {
    this.#stopping.abort(new Error('the server is stopping'));
    for (const socket of this.#open) socket.destroy();
  }

  #accept(request: IncomingMessage, response: ServerResponse, upgrade: AgentExchange['upgrade']): void {
    const target = parseTarget(request.url ?? '/');
    if (target === undefined) {
      response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
      response.end('400 Bad Request');
      return;
    }
    const gone = new AbortController();
    const leave = (): void => gone.abort(new Error('the client has gone'));
    response.once('close', leave);
    upgrade?.socket.once('close', leave);
    void this.#serve({
      request,
      response,
      method: request.method ?? 'GET',
      ...target,
      upgrade,
      signal: AbortSignal.any([gone.signal, this.#stopping.signal]),
    });
  }
}

/** Undefined for a target that cannot be read. */
function parseTarget(url: string): Pick<AgentExchange, 'path' | 'query'> | undefined {
  const mark = url.indexOf('?');
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  if (!rawPath.startsWith('/'))
    return rawPath === '*' ? { path: '*', query: new URLSearchParams() } : undefined;
  try {
    const path = decodeURIComponent(rawPath);
    return path.includes('\0')
      ? undefined
      : { path, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) };
  } catch {
    return undefined; // a broken escape
  }
}
