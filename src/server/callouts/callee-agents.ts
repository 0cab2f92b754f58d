import { Agent } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { asError } from '../../base/index.ts';
import type { WebhookTarget } from './webhook-target.ts';

/** Limits of what is kept open to those who are called. */
const limits = {
  /** Callees whose connections are kept; the one that was called longest ago gives way. */
  maxAgents: 256,
  connectionsPerAgent: 64,
  idleConnections: 8,
  idleConnectionMs: 60_000,
};

/** Kept connections to one callee. A service is looked up for each connection, because it moves. */
class CalleeAgent extends Agent {
  readonly #target: WebhookTarget;

  constructor(target: WebhookTarget) {
    super({
      keepAlive: true,
      maxSockets: limits.connectionsPerAgent,
      maxFreeSockets: limits.idleConnections,
      timeout: limits.idleConnectionMs,
    });
    this.#target = target;
  }

  override createConnection(_options: unknown, done?: (error: Error | null, stream: Duplex) => void) {
    const { host, port, serverName, authorities, locate } = this.#target;
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
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    });
    socket.setNoDelay(true);
    return socket;
  }
}

/** Kept connections by callee: the same place, name and authorities share them. */
export class CalleeAgents {
  readonly #agents = new Map<string, CalleeAgent>();

  /** The connections to a callee. */
  of(target: WebhookTarget): Agent {
    const key = `${target.authority} ${target.serverName} ${target.authorities ?? ''}`;
    const known = this.#agents.get(key);
    if (known !== undefined) this.#agents.delete(key);
    const agent = known ?? new CalleeAgent(target);
    this.#agents.set(key, agent);
    const [oldest] = this.#agents;
    // Calls under way keep their connections; later ones of that callee get others.
    if (this.#agents.size > limits.maxAgents && oldest !== undefined) this.#agents.delete(oldest[0]);
    return agent;
  }

  /** Ends all connections, those of calls under way included. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}
