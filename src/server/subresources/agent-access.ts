import type { Node } from '../../apis/types/core-v1.ts';
import type { Stores } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { type AgentChoice, agentBackend, type Backend, BackendClient } from '../streaming/agent/index.ts';
import { findHelper } from './find-object.ts';

/** How agents are reached. */
export interface AgentAccess {
  readonly client: BackendClient;
  readonly choice: AgentChoice;
  /** Whether redirects of agents are followed, and whether they may lead to another host. */
  readonly redirects: { readonly mayChangeHost: boolean } | undefined;
  /** Whether clients may have an agent's certificate not verified. */
  readonly maySkipVerification: boolean;
}

/** As release 1.20 without any flag, but for the client certificate: there is none. */
export function plainAgentAccess(): AgentAccess {
  return {
    client: new BackendClient({ connectTimeoutMs: 5000 }),
    choice: {
      preferredAddressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
      defaultPort: 10250,
      endpointField: 'nodeAgentEndpoint',
    },
    redirects: { mayChangeHost: false },
    maySkipVerification: true,
  };
}

/** Finds where the agent of a node is. */
export type FindAgent = (exchange: Exchange, nodeName: string) => Promise<Backend>;

/** Reads nodes from the store. What it makes throws StatusError: 404 without such a node, 500 without an address. */
export function agentFinder(stores: Stores, choice: AgentChoice): FindAgent {
  return async (exchange, name) => {
    const nodes = stores.served.get('/v1/nodes');
    if (nodes === undefined) throw new RangeError('nodes are not served');
    return agentBackend((await findHelper(exchange, nodes, name)) as Node, choice); // stored under this resource
  };
}
