import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { KeptAgents } from '../../callouts/index.ts';
import type { Backend } from './backend.ts';

/** Limits of what is kept open, as Go's client has them but for the number of agents. */
const limits = {
  /** Agents whose connections are kept; the one that was asked longest ago gives way. */
  maxAgents: 1024,
  idlePerAgent: 2,
  idleMs: 90_000,
};

/** Opens connections to one agent and keeps those that are free. */
class ConnectionsToAgent extends Agent {
  readonly #connect: () => Socket;

  constructor(connect: () => Socket) {
    super({ keepAlive: true, maxFreeSockets: limits.idlePerAgent, timeout: limits.idleMs });
    this.#connect = connect;
  }

  override createConnection(): Socket {
    return this.#connect();
  }
}

/** Connections to agents that wait for the next request. */
export class KeptConnections {
  readonly #agents = new KeptAgents(limits.maxAgents);

  /** Those to an agent; `connect` opens one when none is free. */
  to({ scheme, host, port, address = host, trust }: Backend, connect: () => Socket): Agent {
    const key = `${scheme} ${host} ${port} ${address} ${trust}`;
    return this.#agents.of(key, () => new ConnectionsToAgent(connect));
  }

  /** Ends all of them, those of requests under way included. */
  close(): void {
    this.#agents.close();
  }
}
