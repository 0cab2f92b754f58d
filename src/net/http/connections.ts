import type { ServerHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { AnyRequest } from './request.ts';

/** What sockets have, and connections in memory lack. */
export interface Transport extends Duplex {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Closes once what was written has left. */
  destroySoon?(): void;
}

/** A connection of a listener. */
export class Connection {
  /** TCP, then TLS over it once that is there; memory within this process. */
  transport: Transport;
  /** Once HTTP/2 is spoken on it. */
  session: ServerHttp2Session | undefined;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Ends it at once, with all its requests. */
  destroy(): void {
    this.session?.destroy();
    this.transport.destroy();
  }
}

/** The open connections of a listener. */
export class Connections {
  readonly #open = new Set<Connection>();
  /** By both addresses, until TLS is there: `node:tls` does not say on which TCP connection it is. */
  readonly #byAddress = new Map<string, Connection>();

  /** A new connection, known until it closes. */
  add(transport: Transport): void {
    const connection = new Connection(transport);
    const key = addressOf(transport);
    this.#open.add(connection);
    this.#byAddress.set(key, connection);
    transport.once('close', () => {
      this.#open.delete(connection);
      if (this.#byAddress.get(key) === connection) this.#byAddress.delete(key);
    });
    // A connection that breaks ends its requests, which is all there is to do.
    transport.on('error', () => transport.destroy());
  }

  /** The connection has finished its TLS handshake. */
  secure(socket: Transport): void {
    const connection = this.#byAddress.get(addressOf(socket));
    if (connection !== undefined) connection.transport = socket;
    socket.on('error', () => {});
  }

  /** The connection speaks HTTP/2. */
  openSession(session: ServerHttp2Session): void {
    const connection = this.#byAddress.get(addressOf(session.socket));
    if (connection !== undefined) connection.session = session;
    session.on('error', () => {});
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#open.values();
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

/** What is the same for all requests of a connection, and different for each connection. */
export function connectionOf(request: AnyRequest): object {
  // HTTP/2's `socket` is another object for each request; a stream that has closed has no session any more.
  return 'stream' in request ? (request.stream.session ?? request.socket) : request.socket;
}
