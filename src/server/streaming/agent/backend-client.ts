import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { ConnectTimeout } from '../../../net/dial/index.ts';
import type { ClientPair } from '../../callouts/index.ts';
import type { Backend, Trust } from './backend.ts';

/** The client certificate that the server presents to agents, and the authorities that it trusts. */
export interface BackendClientOptions {
  /** Client certificate for agents; read at each connection, because certificates are renewed. */
  readonly clientPair?: (() => ClientPair) | undefined;
  /** PEM authorities of agents' serving certificates. Without any these are not verified. */
  readonly agentAuthorities?: readonly string[] | undefined;
  /** Limit for opening a connection, TLS included (`--nodeagent-timeout`). */
  readonly connectTimeoutMs: number;
}

/** What is asked of a backend. */
export interface BackendRequest {
  readonly method: string;
  /** Path and query, escaped. */
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
}

/** The answer to a request that asked for another protocol. */
export type UpgradeAnswer =
  | {
      readonly kind: 'upgraded';
      readonly head: IncomingMessage;
      readonly socket: Duplex;
      readonly first: Buffer;
    }
  | { readonly kind: 'answered'; readonly answer: IncomingMessage };

/** Longest head of an answer. */
const maxHeaderBytes = 64 * 1024;

/** Sends requests to agents, pods and services: HTTP/1.1, one connection for each. */
export class BackendClient {
  readonly #options: BackendClientOptions;
  readonly #contexts = new Map<
    Trust,
    { readonly pair: ClientPair | undefined; readonly context: SecureContext }
  >();

  constructor(options: BackendClientOptions) {
    this.#options = options;
  }

  /** Begins a request, whose body the caller writes and ends. `signal` aborts it. */
  open(backend: Backend, request: BackendRequest, signal: AbortSignal): ClientRequest {
    const { method, target, headers } = request;
    // Not by `import`, which would load the WebSocket client among all exports.
    const http = process.getBuiltinModule('node:http');
    let socket: Socket | undefined;
    const sent = http.request({
      method,
      path: target,
      headers,
      host: backend.host,
      port: backend.port,
      setHost: false,
      maxHeaderSize: maxHeaderBytes,
      signal,
      createConnection: () => {
        socket = this.#connect(backend);
        return socket;
      },
    });
    // Go's client does not say that it will not use the connection again; it is never reused, whatever the headers say.
    if (headers.connection === undefined) sent.removeHeader('connection');
    sent.on('response', (answer) => answer.once('close', () => socket?.destroy()));
    return sent;
  }

  /** Sends a request without a body. Resolves with the head of the answer, whatever it says. */
  send(backend: Backend, request: BackendRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const sent = this.open(backend, request, signal);
    sent.end();
    return answerTo(sent);
  }

  /**
   * Sends a request, without a body, that asks for another protocol. Once the other protocol is spoken, `signal` means
   * nothing any more: the connection is the caller's.
   */
  upgrade(backend: Backend, request: BackendRequest, signal: AbortSignal): Promise<UpgradeAnswer> {
    return upgradeAnswer((untilUpgrade) => this.open(backend, request, untilUpgrade), signal);
  }

  #connect(backend: Backend): Socket {
    const { host, port, scheme, address = host, trust } = backend;
    const isTls = scheme === 'https';
    const place = { host: address, port };
    const socket = isTls
      ? connectTls({
          ...place,
          // TLS sends no server name for an IP address (RFC 6066, section 3).
          ...(isIP(host) === 0 ? { servername: host } : { servername: '' }),
          secureContext: this.#contextFor(trust),
          rejectUnauthorized: this.#verifies(trust),
          ALPNProtocols: ['http/1.1'],
        })
      : connectTcp(place);
    let phase: 'connect' | 'handshake' = 'connect';
    const timer = setTimeout(() => socket.destroy(new ConnectTimeout(phase)), this.#options.connectTimeoutMs);
    const done = () => clearTimeout(timer);
    socket.once('connect', () => {
      phase = 'handshake';
      if (!isTls) done();
    });
    socket.once('secureConnect', done);
    socket.once('close', done);
    socket.setNoDelay(true);
    return socket;
  }

  #verifies(trust: Trust): boolean {
    return trust === 'agent' && (this.#options.agentAuthorities?.length ?? 0) > 0;
  }

  /** Reading keys costs more than a connection; the result is kept until the certificate is another one. */
  #contextFor(trust: Trust): SecureContext {
    const pair = trust === 'anyone' ? undefined : this.#options.clientPair?.();
    const kept = this.#contexts.get(trust);
    if (kept !== undefined && kept.pair?.certificatePem === pair?.certificatePem) return kept.context;
    const { agentAuthorities } = this.#options;
    const context = createSecureContext({
      ...(pair === undefined ? {} : { cert: pair.certificatePem, key: pair.privateKeyPem }),
      ...(this.#verifies(trust) && agentAuthorities !== undefined ? { ca: [...agentAuthorities] } : {}),
      minVersion: 'TLSv1.2',
    });
    this.#contexts.set(trust, { pair, context });
    return context;
  }
}

/** The head of the answer to a request under way. */
export function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', resolve);
  });
}

/**
 * The answer to a request, without a body, that asks for another protocol. `open` begins it; its signal means nothing any
 * more once the other protocol is spoken.
 */
export function upgradeAnswer(
  open: (signal: AbortSignal) => ClientRequest,
  signal: AbortSignal,
): Promise<UpgradeAnswer> {
  const aborter = new AbortController();
  const abort = (): void => aborter.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  const sent = open(aborter.signal);
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (answer) => resolve({ kind: 'answered', answer }));
    sent.on('upgrade', (head, socket, first) => {
      signal.removeEventListener('abort', abort);
      resolve({ kind: 'upgraded', head, socket, first });
    });
    sent.end();
  });
}
