import type { ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { ListenerLimits } from './limits.ts';
import { type AnyRequest, connectionOf } from './request.ts';

/** What sockets have, and connections in memory lack. */
export interface Transport extends Duplex {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Whether an authority that is believed signed the client's certificate. */
  readonly authorized?: boolean | undefined;
  readonly bytesRead?: number | undefined;
  /** The certificate that the client showed. */
  getPeerCertificate?(): object;
  /** Closes once what was written has left. */
  destroySoon?(): void;
}

/** A connection of a listener. */
class Connection {
  /** TCP, then TLS over it once that is there; memory within this process. */
  transport: Transport;
  /** Once HTTP/2 is spoken on it. */
  session: ServerHttp2Session | undefined;
  readonly openedAtMs: number;
  /** Whoever is there is to come again over another connection. */
  isRetired = false;
  /** Nothing but a request is waited for: HTTP/1.1's parser watches over that by itself. */
  isOpen: boolean;

  constructor(transport: Transport, { openedAtMs, isOpen }: Pick<Connection, 'openedAtMs' | 'isOpen'>) {
    this.transport = transport;
    this.openedAtMs = openedAtMs;
    this.isOpen = isOpen;
  }

  /** Lets its requests end, and few others begin: one with HTTP/1.1, none with HTTP/2. */
  retire(): void {
    this.isRetired = true;
    this.session?.close();
  }

  /** Whether TLS was shown a certificate of the client. */
  get hasCertificate(): boolean {
    const shown = this.transport.getPeerCertificate?.();
    return shown !== undefined && Object.keys(shown).length > 0;
  }

  /** Ends it at once, with all its requests. */
  destroy(): void {
    this.session?.destroy();
    this.transport.destroy();
  }
}

/** What bounds connections. */
export type ConnectionLimits = Pick<
  ListenerLimits,
  'maxConnections' | 'maxUnauthenticated' | 'headersTimeoutMs' | 'keepAliveTimeoutMs'
>;

/**
 * The open connections of a listener. Unauthenticated ones have a limit of their own; when a limit is reached, the
 * oldest of these is closed, or the new one where there is none.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #nowMs: () => number;
  /** Told when a connection had to be closed. */
  readonly #onLimit: () => void;
  readonly #open = new Set<Connection>();
  /** Those from within this process: they take no place from clients. */
  readonly #own = new Set<Connection>();
  /** The oldest first. */
  readonly #unauthenticated = new Set<Connection>();
  #hasRetired = false;
  /** By both addresses, until TLS is there: `node:tls` does not say on which TCP connection it is. */
  readonly #byAddress = new Map<string, Connection>();
  /** By what `connectionOf` says of requests. */
  readonly #byKey = new WeakMap<object, Connection>();
  /** Those whose requests come over other objects. */
  readonly #relayed = new WeakSet<Duplex>();

  constructor(limits: ConnectionLimits, nowMs: () => number, onLimit: () => void) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#onLimit = onLimit;
  }

  get size(): number {
    return this.#open.size;
  }

  /** A connection from within this process, to which no limit applies. */
  addOwn(transport: Transport): void {
    const connection = new Connection(transport, { openedAtMs: this.#nowMs(), isOpen: true });
    this.#own.add(connection);
    transport.once('close', () => this.#own.delete(connection));
    this.#add(connection);
  }

  /** A new connection, known until it closes. With TLS, nothing is asked for before the handshake has ended. */
  add(transport: Transport, { hasTls }: { readonly hasTls: boolean }): void {
    const { maxConnections, maxUnauthenticated } = this.#limits;
    const isFull = this.#open.size - this.#own.size >= maxConnections;
    if (isFull || this.#unauthenticated.size >= maxUnauthenticated) {
      this.#onLimit();
      const [oldest] = this.#unauthenticated;
      if (oldest === undefined) return void transport.destroy();
      this.#unauthenticated.delete(oldest);
      oldest.destroy();
    }
    const connection = new Connection(transport, { openedAtMs: this.#nowMs(), isOpen: !hasTls });
    const key = addressOf(transport);
    this.#byAddress.set(key, connection);
    this.#byKey.set(transport, connection);
    this.#unauthenticated.add(connection);
    transport.once('close', () => {
      this.#unauthenticated.delete(connection);
      if (this.#byAddress.get(key) === connection) this.#byAddress.delete(key);
    });
    this.#add(connection);
  }

  /** The connection has finished its TLS handshake. */
  secure(socket: Transport): void {
    const connection = this.#byAddress.get(addressOf(socket));
    socket.on('error', () => {});
    if (connection === undefined) return;
    connection.transport = socket;
    connection.isOpen = connection.session === undefined;
    this.#byKey.set(socket, connection);
    if (socket.authorized === true) this.#unauthenticated.delete(connection);
  }

  /** The connection speaks HTTP/2. */
  openSession(session: ServerHttp2Session): void {
    const connection = this.#byAddress.get(addressOf(session.socket));
    session.on('error', () => {});
    if (connection === undefined) return;
    connection.session = session;
    connection.isOpen = false;
    this.#byKey.set(session, connection);
    session.once('stream', () => {
      connection.isOpen = true;
    });
    // The head of a later request can be stuck half-way too; nothing tells of that but silence.
    session.setTimeout(this.#limits.keepAliveTimeoutMs, () => {
      if (this.#unauthenticated.has(connection)) session.close();
    });
  }

  /** From now on the connection's requests come over another object. */
  relay(transport: Duplex, relayed: Duplex): void {
    const connection = this.#byKey.get(transport);
    if (connection !== undefined) this.#byKey.set(relayed, connection);
    this.#relayed.add(transport);
  }

  /** Whether nothing that is told of a connection itself counts any more. */
  isRelayed(transport: Duplex): boolean {
    return this.#relayed.has(transport);
  }

  /** The client has proved who it is. */
  trust(request: AnyRequest): void {
    if (this.#unauthenticated.size === 0) return; // as a rule: nothing to look up
    const connection = this.#byKey.get(connectionOf(request));
    if (connection !== undefined) this.#unauthenticated.delete(connection);
  }

  /** Has clients that showed certificates come again. */
  retireClients(): void {
    for (const connection of this.#open) {
      if (!connection.hasCertificate) continue;
      this.#hasRetired = true;
      connection.retire();
    }
  }

  /** Whether the connection of a request is to end with it. */
  isRetired(request: AnyRequest): boolean {
    if (!this.#hasRetired) return false; // as a rule: nothing to look up
    return this.#byKey.get(connectionOf(request))?.isRetired === true;
  }

  /** Closes the connections that have been there for too long without a request. */
  closeSlow(): void {
    const latestMs = this.#nowMs() - this.#limits.headersTimeoutMs;
    for (const connection of this.#open) {
      if (!connection.isOpen && connection.openedAtMs <= latestMs) connection.destroy();
    }
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#open.values();
  }

  #add(connection: Connection): void {
    const { transport } = connection;
    this.#open.add(connection);
    transport.once('close', () => this.#open.delete(connection));
    // A connection that breaks ends its requests, which is all there is to do.
    transport.on('error', () => transport.destroy());
  }
}

/** Local and remote address and port. */
function addressOf({
  localAddress,
  localPort,
  remoteAddress,
  remotePort,
}: Pick<Transport, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>): string {
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;
}
