import {
  type Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { bearLateErrors, ConnectTimeout } from '../../../net/dial/index.ts';
import { type ClientPair, mayRepeat } from '../../callouts/index.ts';
import type { Backend, Trust } from './backend.ts';
import { KeptConnections } from './kept-connections.ts';
import { type UpgradeAnswer, upgradeAnswer } from './upgrade-answer.ts';

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

/** Longest head of an answer. */
const maxHeaderBytes = 64 * 1024;

/**
 * Sends requests to agents, pods and services by HTTP/1.1. Connections to agents are kept for the next request without a
 * body; all others get one of their own, since pods may be replaced by others at the same address.
 */
export class BackendClient implements Disposable {
  readonly #options: BackendClientOptions;
  readonly #contexts = new Map<
    Trust,
    { readonly pair: ClientPair | undefined; readonly context: SecureContext }
  >();
  readonly #kept = new KeptConnections();

  constructor(options: BackendClientOptions) {
    this.#options = options;
  }

  /** Begins a request over a connection of its own, whose body the caller writes and ends. `signal` aborts it. */
  open(backend: Backend, request: BackendRequest, signal: AbortSignal): ClientRequest {
    let socket: Socket | undefined;
    const createConnection = (): Socket => {
      socket = this.#connect(backend);
      return socket;
    };
    const sent = begin(backend, request, { signal, createConnection });
    // Never reused, whatever the headers say.
    sent.on('response', (answer) => answer.once('close', () => socket?.destroy()));
    return sent;
  }

  /** Sends a request without a body to an agent. Resolves with the head of the answer, whatever it says. */
  async send(backend: Backend, request: BackendRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const agent = this.#kept.to(backend, () => this.#connect(backend));
    const sent = begin(backend, request, { signal, agent });
    sent.end();
    try {
      return await answerTo(sent);
    } catch (error) {
      if (!mayRepeat(sent, error, signal)) throw error;
      return this.send(backend, request, signal);
    }
  }

  /**
   * Sends a request, without a body, that asks for another protocol. Once the other protocol is spoken, `signal` means
   * nothing any more: the connection is the caller's.
   */
  upgrade(backend: Backend, request: BackendRequest, signal: AbortSignal): Promise<UpgradeAnswer> {
    return upgradeAnswer((untilUpgrade) => this.open(backend, request, untilUpgrade), signal);
  }

  /** Ends all kept connections. */
  [Symbol.dispose](): void {
    this.#kept.close();
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

/** Begins a request over the connection that `way` gives it. */
function begin(
  { host, port }: Backend,
  { method, target, headers }: BackendRequest,
  way: { readonly signal: AbortSignal } & (
    | { readonly agent: Agent }
    | { readonly createConnection: () => Socket }
  ),
): ClientRequest {
  const options = {
    method,
    path: target,
    headers,
    host,
    port,
    setHost: false,
    maxHeaderSize: maxHeaderBytes,
  };
  const sent = httpRequest({ ...options, ...way });
  bearLateErrors(sent);
  // Go's client does not say whether it will use the connection again.
  if (headers.connection === undefined) sent.removeHeader('connection');
  return sent;
}

/** The head of the answer to a request under way. */
export function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', resolve);
  });
}
