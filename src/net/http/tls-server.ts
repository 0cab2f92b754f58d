import type { Http2SecureServer } from 'node:http2';
import type { Server as HttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type ListenerLimits, serverOptions } from './limits.ts';
import { contextOf, namedContexts, type ServedTls } from './named-contexts.ts';

/** How a listener speaks TLS. */
export interface TlsOptions {
  /** Certificate, key, authorities of clients, versions and ciphers. Undefined: connections are refused until `setTls`. */
  readonly context: ServedTls | undefined;
  /** Whether clients are asked for certificates. One that no authority signed is let in, and marked as unauthorized. */
  readonly asksForCertificate: boolean;
  /** Speaks HTTP/2 beside HTTP/1.1 when given. */
  readonly http2?: { readonly maxConcurrentStreams?: number | undefined } | undefined;
}

/** A server of HTTP/1.1 over TLS, or of HTTP/2 as well. */
type TlsServer = HttpsServer | Http2SecureServer;

/** Streams that a connection may have open at the same time. */
const maxConcurrentStreams = 250;
/** First byte of a TLS record that opens a handshake (RFC 8446, section 5.1). */
const handshakeByte = 0x16;
/** A fatal alert `internal_error` (RFC 8446, section 6). */
const internalErrorAlert = Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x50]);
const notTls = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** The TLS server of a listener. It never listens by itself: `createFront` hands it the connections. */
export function createTlsServer(
  { context, asksForCertificate, http2 }: TlsOptions,
  limits: ListenerLimits,
): TlsServer {
  const { named: _, ...own } = context ?? {};
  const options = {
    ...serverOptions(limits),
    ...own,
    SNICallback(name: string, answer: (error: Error | null, context?: SecureContext) => void): void {
      answer(null, contextOf(otherContexts.get(server) ?? new Map(), name));
    },
    requestCert: asksForCertificate,
    rejectUnauthorized: false,
  };
  // Not by `import`: an agent has no use for the server of HTTP/2.
  const server: TlsServer =
    http2 === undefined
      ? process.getBuiltinModule('node:https').createServer({ ...options, ALPNProtocols: ['http/1.1'] })
      : process.getBuiltinModule('node:http2').createSecureServer({
          ...options,
          allowHTTP1: true,
          settings: { maxConcurrentStreams: http2.maxConcurrentStreams ?? maxConcurrentStreams },
        });
  believeEach(server);
  nameContexts(server, context ?? {});
  server.on('tlsClientError', () => {}); // a peer that speaks no TLS is no event of ours
  server.emit('listening'); // it never does by itself, and would not watch over slow requests
  return server;
}

/** What connections of a server share, which the runtime's types do not know. */
interface SharedCredentials {
  readonly context?: { setAllowPartialTrustChain?(): void };
}

/** Gives a server another certificate or other authorities. */
export function setContext(server: TlsServer, served: ServedTls): void {
  const { named: _, ...context } = served;
  server.setSecureContext(context);
  believeEach(server);
  nameContexts(server, served);
}

/** What servers show to clients that ask for certain names. */
const otherContexts = new WeakMap<TlsServer, ReadonlyMap<string, SecureContext>>();

function nameContexts(server: TlsServer, served: ServedTls): void {
  const contexts = namedContexts(served);
  for (const shared of contexts.values()) believeEachIn(shared);
  otherContexts.set(server, contexts);
}

/**
 * Has a server believe each of its authorities by itself, as Go's programs do, also one that was signed by another which
 * is not among them. The runtime has an option for that (`allowPartialTrustChain`), which its servers do not hand on.
 */
function believeEach(server: TlsServer): void {
  const shared: SharedCredentials | undefined = Reflect.get(server, '_sharedCreds'); // tests of chains fail on another form
  believeEachIn(shared);
}

function believeEachIn(shared: SharedCredentials | undefined): void {
  shared?.context?.setAllowPartialTrustChain?.();
}

/**
 * Accepts TCP connections and passes those that open TLS on; a client that speaks plain HTTP gets an answer that says
 * so, as from Go's `net/http`.
 */
export function createFront(tlsServer: () => TlsServer | undefined): TcpServer {
  // What is written is sent: waiting for more costs a small frame or the end of a body up to 40 ms.
  return createTcpServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first) => {
      socket.pause();
      passOn(socket, first, tlsServer());
    });
  });
}

function passOn(socket: Socket, first: Buffer, server: TlsServer | undefined): void {
  if (first[0] !== handshakeByte) socket.end(notTls);
  else if (server === undefined) socket.end(internalErrorAlert);
  else {
    socket.unshift(first);
    server.emit('connection', socket);
  }
}
