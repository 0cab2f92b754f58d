import type http from 'node:http';
import type https from 'node:https';
import type { Duplex } from 'node:stream';
import { asSocket, chunksOf } from '../../base/index.ts';
import { bearLateErrors } from '../../net/dial/index.ts';
import { chooseAuthorities } from './authorities.ts';
import type { Connection } from './connection.ts';
import { TransportError, toTransportError } from './transport-error.ts';

/** A request as the wire needs it. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | undefined;
  /** Milliseconds until the whole answer must be there; 0: no limit. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** An answer of any status. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly chunks: AsyncIterable<Buffer>;
  /** The body, once the client has read it. */
  readonly content?: Buffer | undefined;
  close(): void;
}

/** Sends one request. @throws TransportError */
export interface Transport {
  (request: WireRequest): Promise<Answer>;
  close?(): void;
}

export interface TransportOptions {
  /** Most connections at once; requests beyond wait. Default 64. */
  readonly maxConnections?: number | undefined;
  /** Opens a connection to a plain HTTP server in the same process, which does not close what rests. */
  readonly connect?: (() => Duplex) | undefined;
}

/** HTTP/1.1 over kept-alive connections, with this connection's TLS settings. */
export function createTransport(connection: Connection, options: TransportOptions = {}): Transport {
  const { agent, start } =
    options.connect === undefined
      ? chooseProtocol(connection, options.maxConnections)
      : withinProcess(options.connect);

  const transport: Transport = (request) =>
    new Promise((resolve, reject) => {
      const url = new URL(request.url);
      const { host } = url;
      const length = request.body === undefined ? {} : { 'content-length': String(request.body.length) };
      const outgoing = open(host, () =>
        start(url, {
          method: request.method,
          agent,
          headers: { ...request.headers, ...length },
          ...(request.signal === undefined ? {} : { signal: request.signal }),
        }),
      );
      bearLateErrors(outgoing);
      const stopTimer = limitTime(outgoing, request, host);
      outgoing.on('error', (error) => {
        stopTimer();
        reject(toTransportError(error, host));
      });
      outgoing.on('response', (incoming) => {
        incoming.once('close', stopTimer);
        resolve({
          status: incoming.statusCode ?? 0,
          statusText: incoming.statusMessage ?? '',
          headers: incoming.headers,
          chunks: readChunks(incoming, host),
          close: () => void outgoing.destroy(),
        });
      });
      outgoing.end(request.body);
    });
  transport.close = () => agent.destroy();
  return transport;
}

/** Headers and certificates that cannot be used are refused before anything is sent. @throws TransportError */
function open<T>(host: string, start: () => T): T {
  try {
    return start();
  } catch (error) {
    throw toTransportError(error, host);
  }
}

/**
 * Only the module that is needed, and not by `import`: that asks for every export of `node:http`, the WebSocket
 * client among them, which takes 15 ms of a command's start.
 */
function chooseProtocol(
  connection: Connection,
  maxSockets = 64,
): { agent: http.Agent; start: typeof http.request } {
  const pool = { keepAlive: true, maxSockets };
  if (connection.server.startsWith('https:')) {
    const { Agent, request } = process.getBuiltinModule('node:https');
    return { agent: new Agent({ ...pool, ...tlsSettings(connection) }), start: request };
  }
  const { Agent, request } = process.getBuiltinModule('node:http');
  return { agent: new Agent(pool), start: request };
}

/** Connections kept in memory while nobody asks for anything; more are opened as they are needed. */
const maxResting = 16;

function withinProcess(connect: () => Duplex): { agent: http.Agent; start: typeof http.request } {
  const { Agent, request } = process.getBuiltinModule('node:http');
  const agent = new Agent({ keepAlive: true, maxFreeSockets: maxResting });
  agent.createConnection = () => asSocket(connect());
  return { agent, start: request };
}

/** Settings of a connection as `node:tls` calls them. */
export type TlsSettings = Pick<
  https.AgentOptions,
  'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'
>;

/** What `node:tls` has to know of a connection that is about to be opened. */
export function tlsSettings({ tls }: Connection): TlsSettings {
  chooseAuthorities(tls);
  return {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    ...(tls.skipsVerification ? { rejectUnauthorized: false } : {}),
  };
}

/** Ends the request, or the answer that is arriving, when its time is over. */
function limitTime(outgoing: http.ClientRequest, request: WireRequest, host: string): () => void {
  if (request.timeoutMs <= 0) return () => {};
  let incoming: http.IncomingMessage | undefined;
  outgoing.on('response', (response) => {
    incoming = response;
  });
  const timer = setTimeout(() => {
    const error = new TransportError('timeout', `no answer within ${request.timeoutMs} ms`, { host });
    (incoming ?? outgoing).destroy(error);
  }, request.timeoutMs);
  return () => clearTimeout(timer);
}

async function* readChunks(incoming: http.IncomingMessage, host: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunksOf(incoming)) yield chunk;
  } catch (error) {
    throw toTransportError(error, host);
  }
}
