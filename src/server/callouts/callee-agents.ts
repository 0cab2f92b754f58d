import { Agent as HttpAgent } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import { asError, asSocket } from '../../base/index.ts';
import type { DialTarget } from '../../net/dial/index.ts';
import { KeptAgents } from './kept-agents.ts';

/** A client certificate and its key, PEM. */
export interface ClientPair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Whom connections are made to. */
export interface Callee extends DialTarget {
  /** `Host` header. */
  readonly authority: string;
  /** Name on the certificate; one that is reached by address has none (RFC 6066, section 3). */
  readonly serverName: string;
  /** PEM; undefined for the authorities of the machine. */
  readonly authorities: string | undefined;
  /** Where connections go instead of `host` and `port`; asked for each, because services move. */
  readonly locate: (() => DialTarget) | undefined;
  /** Who this server is there; nobody when left out. */
  readonly clientPair?: ClientPair | undefined;
  /** Whether any certificate is taken. */
  readonly isUnverified?: boolean | undefined;
  /** Whether there is no TLS. */
  readonly isPlain?: boolean | undefined;
  /** Opens connections within this process, which need no TLS, instead of those to a place. */
  readonly connect?: (() => Duplex) | undefined;
}

/** Limits of what is kept open to those who are called. */
const limits = {
  /** Callees whose connections are kept; the one that was called longest ago gives way. */
  maxAgents: 256,
  connectionsPerCallee: 64,
  idleConnections: 64,
  idleConnectionMs: 60_000,
};

/** Kept connections to one callee. A service is looked up for each connection, because it moves. */
class CalleeAgent extends Agent {
  readonly #callee: Callee;

  constructor(callee: Callee, options: AgentOptions) {
    super(options);
    this.#callee = callee;
  }

  /** All its connections lead to one callee: what tells others apart is long, and asked for by each call. */
  override getName(): string {
    return this.#callee.authority;
  }

  override createConnection(_options: unknown, done?: (error: Error | null, stream: Duplex) => void) {
    const { host, port, serverName, authorities, locate, clientPair, isUnverified } = this.#callee;
    let place = { host, port };
    try {
      if (locate !== undefined) place = locate();
    } catch (error) {
      // A failure goes without a connection.
      done?.(asError(error), undefined as never);
      return undefined;
    }
    const socket = connectTls({
      ...place,
      // TLS sends no server name for an address, but checks the certificate for it.
      ...(isIP(serverName) > 0 ? {} : { servername: serverName }),
      ...(authorities === undefined ? {} : { ca: authorities }),
      ...(clientPair && { cert: clientPair.certificatePem, key: clientPair.privateKeyPem }),
      // TLS was not told of a name that is an address, and would check the host's.
      checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
      rejectUnauthorized: isUnverified !== true,
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    });
    socket.setNoDelay(true);
    return socket;
  }
}

/** Kept connections to this server itself. */
class OwnAgent extends HttpAgent {
  readonly #connect: () => Duplex;

  constructor(connect: () => Duplex, options: AgentOptions) {
    super(options);
    this.#connect = connect;
  }

  override createConnection(): Duplex {
    return asSocket(this.#connect());
  }
}

/** Kept connections by callee: the same place, name, authorities and client certificate share them. */
export class CalleeAgents {
  readonly #agents = new KeptAgents(limits.maxAgents);
  readonly #options: AgentOptions;
  readonly #keys = new WeakMap<Callee, string>();

  /** Calls for which no connection of a callee is left wait for one. */
  constructor({
    connectionsPerCallee = limits.connectionsPerCallee,
  }: { connectionsPerCallee?: number } = {}) {
    this.#options = {
      keepAlive: true,
      maxSockets: connectionsPerCallee,
      maxFreeSockets: limits.idleConnections,
      timeout: limits.idleConnectionMs,
    };
  }

  /** The connections to a callee. */
  of(callee: Callee): HttpAgent {
    return this.#agents.of(this.#keyOf(callee), () => this.#agentFor(callee));
  }

  #agentFor(callee: Callee): HttpAgent {
    const { connect, isPlain = false } = callee;
    if (connect !== undefined) return new OwnAgent(connect, this.#options);
    return isPlain ? new HttpAgent(this.#options) : new CalleeAgent(callee, this.#options);
  }

  /** Made once for each callee: it is long. */
  #keyOf(callee: Callee): string {
    const known = this.#keys.get(callee);
    if (known !== undefined) return known;
    const { authority, serverName, authorities, clientPair, isUnverified, isPlain = false, connect } = callee;
    const trust = `${isUnverified ?? false} ${clientPair?.certificatePem ?? ''} ${authorities ?? ''}`;
    const key = `${isPlain} ${connect !== undefined} ${authority} ${serverName} ${trust}`;
    this.#keys.set(callee, key);
    return key;
  }

  /** Ends all connections, those of calls under way included. */
  close(): void {
    this.#agents.close();
  }
}
