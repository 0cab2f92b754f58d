import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { createSystemTurns, type TurnQueue } from '../base/index.ts';
import { anonymousUser } from './auth/authenticator.ts';
import type { AnyRequest, AnyResponse, ConnectionUpgrade, Exchange, Handler } from './request/exchange.ts';
import { parseTarget } from './request/path.ts';
import { parseRequestInfo } from './request/request-info.ts';

export interface TlsMaterial {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface HttpServerOptions {
  readonly address: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly tls: TlsMaterial;
  /** PEM certificates that client certificates are checked against. */
  readonly clientAuthorities: readonly string[];
  readonly tlsMinVersion?: SecureVersion | undefined;
  /** OpenSSL cipher list. */
  readonly tlsCiphers?: string | undefined;
  readonly maxConcurrentStreams?: number | undefined;
  readonly nowMs: () => number;
  readonly handler: Handler;
  /** Where requests wait for their turn when many come at once; a queue of its own when left out. */
  readonly turns?: TurnQueue | undefined;
}

/** How long an unused HTTP/1.1 connection stays open; longer than clients keep theirs, so that they close first. */
const keepAliveTimeoutMs = 180_000;
/** How long the last answers may take to leave when the server stops. */
const flushTimeoutMs = 1000;
/** Longest head of a request. */
const maxHeaderBytes = 1024 * 1024;

/** The TLS listener: HTTP/1.1 and HTTP/2 on one port, one handler for both. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Http2SecureServer;
  /** Never listens: it serves the connections that `connect` makes. */
  readonly #inner: Server;
  readonly #innerConnections = new Set<Duplex>();
  readonly #sockets = new Set<TLSSocket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #stopping = new AbortController();
  readonly #turns: TurnQueue;
  #openRequests = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#turns = options.turns ?? createSystemTurns();
    const { tls, clientAuthorities, tlsMinVersion, tlsCiphers, maxConcurrentStreams } = options;
    this.#server = createSecureServer({
      allowHTTP1: true,
      cert: tls.certificatePem,
      key: tls.privateKeyPem,
      ca: [...clientAuthorities],
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: tlsMinVersion ?? 'TLSv1.2',
      ...(tlsCiphers === undefined ? {} : { ciphers: tlsCiphers }),
      settings: { maxConcurrentStreams: maxConcurrentStreams ?? 250 },
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      // What is written is sent: waiting for more costs a small frame or the end of a body up to 40 ms.
      noDelay: true,
      requestTimeout: 0,
    } as Parameters<typeof createSecureServer>[0]);
    const accept = (request: AnyRequest, response: AnyResponse): void => {
      // The peer may vanish at any time; what is left of its requests ends by itself.
      response.on('error', () => {});
      void this.#serve(request, response);
    };
    // The compatible HTTP/2 response differs in nothing that the server uses: see AnyResponse.
    this.#server.on('request', (request, response) => accept(request, response as unknown as ServerResponse));
    // Not by `import`, which would load the WebSocket client among all exports: 6 MB and 15 ms.
    const http = process.getBuiltinModule('node:http');
    this.#inner = http.createServer(accept);
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const response = new http.ServerResponse(request);
      // The connection of an answer is a socket; TLS has it for one, too.
      response.assignSocket(socket as Socket);
      response.shouldKeepAlive = false;
      response.on('error', () => {});
      response.on('finish', () => socket.end());
      void this.#serve(request, response, { socket, head });
    });
    this.#server.on('secureConnection', (socket) => this.#track(this.#sockets, socket));
    this.#server.on('session', (session) => this.#track(this.#sessions, session));
    this.#server.on('tlsClientError', () => {}); // a peer that speaks no TLS is no event of ours
    this.#server.on('sessionError', () => {});
  }

  /** Starts to accept; resolves with the port. */
  listen(): Promise<number> {
    const { address, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, address, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** A connection from within this process: plain HTTP/1.1 over memory, without a socket and without TLS. */
  connect(): Duplex {
    const [client, server] = duplexPair();
    this.#track(this.#innerConnections, server);
    this.#inner.emit('connection', server);
    return client;
  }

  /** Serves new connections with another certificate. */
  replaceCertificate({ certificatePem, privateKeyPem }: TlsMaterial): void {
    this.#server.setSecureContext({
      cert: certificatePem,
      key: privateKeyPem,
      ca: [...this.#options.clientAuthorities],
    });
  }

  /** Stops accepting, ends watches, waits for open requests (at most `graceMs`), closes connections. */
  async stop(graceMs: number): Promise<void> {
    this.#server.close();
    for (const session of this.#sessions) session.close();
    this.#stopping.abort(new Error('the server is stopping'));
    await this.#drained(graceMs);
    await this.#flushed();
    for (const session of this.#sessions) session.destroy();
    for (const socket of [...this.#sockets, ...this.#innerConnections]) socket.destroy();
  }

  /** Waits until what was answered has left; clients that do not read are not waited for. */
  async #flushed(): Promise<void> {
    const open = [...this.#sockets];
    // An HTTP/2 session that was told to close does so by itself after its last stream.
    for (const socket of open) if (socket.alpnProtocol !== 'h2') socket.destroySoon();
    const closed = open.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, flushTimeoutMs);
    });
    await Promise.race([Promise.all(closed), late]);
    clearTimeout(timer);
  }

  #drained(graceMs: number): Promise<void> {
    if (this.#openRequests === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #track<T extends Duplex | ServerHttp2Session>(set: Set<T>, item: T): void {
    set.add(item);
    item.on('close', () => set.delete(item));
    item.on('error', () => {}); // a connection that breaks ends its requests, which is all there is to do
  }

  async #serve(
    request: IncomingMessage | Http2ServerRequest,
    response: AnyResponse,
    upgrade?: ConnectionUpgrade,
  ): Promise<void> {
    this.#openRequests++;
    const startedAtMs = this.#options.nowMs();
    try {
      const turn = this.#turns.take();
      if (turn !== undefined) await turn;
      const exchange = this.#exchangeOf(request, response, { startedAtMs, upgrade });
      if (exchange === undefined) answerBadTarget(response);
      else await this.#options.handler(exchange);
    } finally {
      if (--this.#openRequests === 0) this.#onIdle?.();
    }
  }

  #exchangeOf(
    request: AnyRequest,
    response: AnyResponse,
    { startedAtMs, upgrade }: Pick<Exchange, 'startedAtMs' | 'upgrade'>,
  ): Exchange | undefined {
    const method = request.method ?? 'GET';
    const target = parseTarget(request.url ?? '/');
    if (target === undefined) return undefined;
    let signal: AbortSignal | undefined;
    const stopping = this.#stopping.signal;
    return {
      request,
      response,
      method,
      path: target.path,
      query: target.query,
      info: parseRequestInfo(method, target.path, target.segments, target.query),
      auditId: auditIdOf(request),
      startedAtMs,
      turns: this.#turns,
      get signal() {
        signal ??= abortedWith(response, stopping);
        return signal;
      },
      user: anonymousUser,
      upgrade,
      audit: undefined,
      warnings: [],
    };
  }
}

/** Shared: a thousand clients may leave at the same moment, and each error of its own would record where it was made. */
const clientHasLeft = new DOMException('the client has left', 'AbortError');

/** A signal that aborts when the client leaves before its answer is complete, or when the server stops. */
function abortedWith(response: AnyResponse, stopping: AbortSignal): AbortSignal {
  const aborter = new AbortController();
  const abort = (): void => aborter.abort(clientHasLeft);
  if (stopping.aborted || response.destroyed) abort();
  else {
    stopping.addEventListener('abort', abort);
    response.on('close', () => {
      stopping.removeEventListener('abort', abort);
      // HTTP/2 calls an answer finished whenever its stream has closed.
      if (!response.writableEnded || !response.writableFinished) abort();
    });
  }
  return aborter.signal;
}

/** The client's own audit id when it is a sensible one, else a new one. */
function auditIdOf(request: AnyRequest): string {
  const given = request.headers['audit-id'];
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}

function answerBadTarget(response: AnyResponse): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  const message = 'the request path has broken percent escapes';
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'BadRequest',
    code: 400,
  };
  response.end(`${JSON.stringify(status)}\n`);
}
