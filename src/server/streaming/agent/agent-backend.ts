import type { DaemonEndpoint, Node, NodeAddress } from '../../../apis/types/core-v1.ts';
import { otherFailure } from '../../../machinery/errors/index.ts';
import type { Backend } from './backend.ts';

/** How an agent is chosen among the addresses that its node has. */
export interface AgentChoice {
  /** The first of these types that the node has an address of (`--nodeagent-preferred-address-types`). */
  readonly preferredAddressTypes: readonly string[];
  /** The port of agents whose nodes name none. */
  readonly defaultPort: number;
  /** The field of a node's endpoints that has the agent's port: the dialect's `nodeAgentEndpoint`. */
  readonly endpointField: string;
}

/**
 * Where the agent of a node is reached.
 *
 * @throws StatusError 500 when the node has no address of a preferred type.
 */
export function agentBackend({ status }: Node, choice: AgentChoice): Backend {
  const addresses = status?.addresses ?? [];
  const host = preferredAddress(addresses, choice.preferredAddressTypes);
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw otherFailure(500, '', `no preferred addresses found; known addresses: [${known}]`);
  }
  // The types know the field by its name in the orch dialect only.
  const endpoints = status?.daemonEndpoints as unknown as
    | Readonly<Record<string, DaemonEndpoint>>
    | undefined;
  const port = endpoints?.[choice.endpointField]?.Port ?? 0;
  return { scheme: 'https', host, port: port > 0 ? port : choice.defaultPort, trust: 'agent' };
}

function preferredAddress(addresses: readonly NodeAddress[], types: readonly string[]): string | undefined {
  for (const wanted of types) {
    const found = addresses.find(({ type }) => type === wanted);
    if (found !== undefined) return found.address;
  }
  return undefined;
}
