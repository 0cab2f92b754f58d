import type { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket, Server as TcpServer } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { Connections } from './connections.ts';
import { Incoming, type IncomingSource } from './incoming.ts';
import { checkIntervalMs, completeLimits, type ListenerLimits, serverOptions } from './limits.ts';
import type { ServedTls } from './named-contexts.ts';
import { afterResponses, refuseRequest } from './refused-request.ts';
import type { AnyRequest, AnyResponse, ConnectionUpgrade } from './request.ts';
import { BodyWatch, UnreadAnswers } from './slow-clients.ts';
import { localTarget } from './target.ts';
import { createFront, createTlsServer, setContext, type TlsOptions } from './tls-server.ts';
import { findUnknownMethod, type ParseError, RelayedConnection } from './unknown-method.ts';

/** Where to listen, and what for. */
export interface ListenerOptions {
  readonly address: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Serves plain HTTP/1.1 when left out. */
  readonly tls?: TlsOptions | undefined;
  /** Answers requests. A request that it fails on is closed without a response; others go on. */
  readonly serve: (incoming: Incoming) => Promise<void>;
  /**
   * Whether a request for another protocol (`Upgrade`) may have its connection; all may when left out. The others are
   * served as if they had not asked for one.
   */
  readonly upgrades?: ((request: IncomingMessage) => boolean) | undefined;
  /** Told of what `serve` throws. */
  readonly onError?: ((error: unknown, incoming: Incoming) => void) | undefined;
  /** Told when a connection was closed because there are too many. */
  readonly onLimit?: (() => void) | undefined;
  /** What differs from the limits that hold anyway. */
  readonly limits?: Partial<ListenerLimits> | undefined;
}

const nowMs = (): number => performance.now();
/** How long the last responses may take to leave when the listener stops. */
const flushTimeoutMs = 1000;

/** Accepts connections and hands their requests on: HTTP/1.1, and HTTP/2 on the same port where TLS allows for it. */
export class HttpListener implements AsyncDisposable {
  readonly #options: ListenerOptions;
  /** Takes the connections: in front of the TLS server, or itself the server. */
  readonly #front: TcpServer;
  readonly #tlsServer: HttpsServer | Http2SecureServer | undefined;
  /** Never listens: it serves the connections that `connect` makes. */
  readonly #inner: Server;
  /** Never listens either: it reads the requests whose methods Node.js does not know. Made for the first one. */
  #relaying: Server | undefined;
  readonly #limits: ListenerLimits;
  readonly #connections: Connections;
  readonly #bodies: BodyWatch;
  readonly #unread: UnreadAnswers;
  #checking: NodeJS.Timeout | undefined;
  readonly #stopping = new AbortController();
  readonly #source: IncomingSource;
  #hasCertificate: boolean;
  #openRequests = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    const limits = completeLimits(options.limits);
    this.#limits = limits;
    this.#connections = new Connections(limits, nowMs, options.onLimit ?? (() => {}));
    this.#source = { connections: this.#connections, stopping: this.#stopping.signal };
    this.#bodies = new BodyWatch(limits.bodyTimeoutMs, nowMs);
    this.#unread = new UnreadAnswers(limits);
    this.#inner = createServer();
    this.#takeRequests(this.#inner);
    this.#hasCertificate = options.tls?.context !== undefined;
    if (options.tls === undefined) {
      const server = createServer(serverOptions(limits));
      this.#unread.watch(server);
      this.#front = server;
    } else {
      this.#tlsServer = this.#createTlsServer(options.tls, limits);
      this.#front = createFront(() => (this.#hasCertificate ? this.#tlsServer : undefined));
    }
    if (this.#tlsServer === undefined) this.#takeRequests(this.#front);
    const hasTls = options.tls !== undefined;
    this.#front.prependListener('connection', (socket) => this.#connections.add(socket, { hasTls }));
  }

  /** Starts to accept; resolves with the port. @throws Error when the port cannot be had */
  listen(): Promise<number> {
    const { address, port } = this.#options;
    this.#checking = setInterval(() => {
      this.#connections.closeSlow();
      this.#bodies.closeSlow();
    }, checkIntervalMs(this.#limits));
    this.#checking.unref();
    return new Promise((resolve, reject) => {
      this.#front.once('error', reject);
      this.#front.listen(port, address, () => {
        this.#front.off('error', reject);
        resolve((this.#front.address() as AddressInfo).port); // it listens on TCP
      });
    });
  }

  /** A connection from within this process: plain HTTP/1.1 over memory, without a socket and without TLS. */
  connect(): Duplex {
    const [client, server] = duplexPair();
    // Destroyed, a side in memory tells the other only that nothing more comes.
    client.once('close', () => server.destroy());
    this.#connections.addOwn(server);
    this.#inner.emit('connection', server);
    return client;
  }

  /** Serves new connections with another certificate, or checks clients against other authorities. */
  setTls(context: ServedTls): void {
    if (this.#tlsServer !== undefined) setContext(this.#tlsServer, context);
    this.#hasCertificate = true;
  }

  /**
   * Has clients that showed certificates come again over new connections, to be checked by what holds now: theirs end
   * after the requests under way, at the latest after the next one.
   */
  retireClients(): void {
    this.#connections.retireClients();
  }

  /** Stops accepting, aborts long requests, waits for open ones (at most `graceMs`), closes connections. */
  async stop(graceMs: number): Promise<void> {
    const closed = new Promise((resolve) => this.#front.close(resolve));
    clearInterval(this.#checking);
    this.#tlsServer?.close();
    this.#relaying?.close();
    for (const { session } of this.#connections) session?.close();
    this.#stopping.abort(new Error('the server is stopping'));
    if (graceMs > 0) {
      await this.#drained(graceMs);
      await this.#flushed();
    }
    for (const connection of this.#connections) connection.destroy();
    await closed;
  }

  /** Closes everything at once. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop(0);
  }

  /** Waits until what was answered has left; clients that do not read are not waited for. */
  async #flushed(): Promise<void> {
    const closed = [...this.#connections].map(({ transport, session }) => {
      // An HTTP/2 session that was told to close does so by itself after its last stream.
      if (session === undefined) transport.destroySoon?.();
      return new Promise((resolve) => transport.once('close', resolve));
    });
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

  #createTlsServer(tls: TlsOptions, limits: ListenerLimits): HttpsServer | Http2SecureServer {
    const server = createTlsServer(tls, limits);
    this.#unread.watch(server);
    this.#takeRequests(server);
    server.on('secureConnection', (socket: TLSSocket) => this.#connections.secure(socket));
    server.on('session', (session: ServerHttp2Session) => this.#connections.openSession(session));
    server.on('sessionError', () => {});
    return server;
  }

  #takeRequests(server: EventEmitter): void {
    const { upgrades } = this.#options;
    // As a property: the server of HTTP/2 does not know the option.
    if (upgrades !== undefined)
      Object.assign(server, {
        shouldUpgradeCallback: (request: IncomingMessage) => upgrades(withLocalTarget(request)),
      });
    server.on('request', (request: AnyRequest, response: AnyResponse) => {
      if (request.socket instanceof RelayedConnection) {
        Object.assign(request, { method: request.socket.method });
        response.shouldKeepAlive = false; // whatever comes behind it would need the first parser again
      }
      this.#accept(request, response, undefined);
    });
    server.on('clientError', (error: ParseError, connection: Duplex) => this.#refuse(error, connection));
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      // The answer to the request before may still be on its way.
      afterResponses(socket, () => {
        if (!socket.destroyed) this.#upgrade(request, socket as Socket, head); // TLS and TCP sockets both are such, and nothing else is asked of memory
      });
    });
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    // That answer, too, would have the connection closed when nothing is asked for a while.
    socket.setTimeout?.(0);
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.on('finish', () => socket.end());
    this.#accept(request, response, { socket, head });
  }

  /** Answers what Node.js cannot parse; a request with a method of which it has not heard is served like any other. */
  #refuse(error: ParseError, connection: Duplex): void {
    if (this.#connections.isRelayed(connection)) return;
    const unknown = connection instanceof RelayedConnection ? undefined : findUnknownMethod(error);
    if (unknown === undefined) {
      refuseRequest(connection, error);
      return;
    }
    this.#relaying ??= this.#createRelaying();
    const relaying = this.#relaying;
    connection.pause();
    afterResponses(connection, () => {
      const relayed = new RelayedConnection(connection, unknown);
      this.#connections.relay(connection, relayed);
      relaying.emit('connection', relayed);
    });
  }

  #createRelaying(): Server {
    const server = createServer(serverOptions(this.#limits));
    this.#takeRequests(server);
    server.emit('listening'); // it never does by itself, and would not watch over slow requests
    return server;
  }

  #accept(request: AnyRequest, response: AnyResponse, upgrade: ConnectionUpgrade | undefined): void {
    // The peer may vanish at any time; what is left of its requests ends by itself.
    response.on('error', () => {});
    // Node.js drops what follows at once on a request whose upgrade is not taken: clients are told to send that again.
    const isDeclined = upgrade === undefined && request.headers.upgrade !== undefined;
    if (isDeclined || this.#connections.isRetired(request)) response.shouldKeepAlive = false;
    const incoming = new Incoming({ request: withLocalTarget(request), response, upgrade }, this.#source);
    this.#bodies.add(incoming);
    // Whoever asks what the server as a whole can do is told nothing, as by Go's.
    if (request.method === 'OPTIONS' && request.url === '*') {
      response.writeHead(200, { 'content-length': 0 }).end();
      return;
    }
    this.#unread.begin(request, response);
    void this.#serve(incoming);
  }

  async #serve(incoming: Incoming): Promise<void> {
    this.#openRequests++;
    try {
      await this.#options.serve(incoming);
    } catch (error) {
      incoming.destroy();
      this.#options.onError?.(error, incoming);
    } finally {
      this.#unread.end(incoming.request, incoming.response);
      if (--this.#openRequests === 0) this.#onIdle?.();
    }
  }
}

function withLocalTarget<R extends AnyRequest>(request: R): R {
  if (request.url?.startsWith('/') !== true) request.url = localTarget(request.url ?? '/');
  return request;
}
