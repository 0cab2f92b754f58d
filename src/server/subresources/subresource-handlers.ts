import type { Stores } from '../../registry/index.ts';
import type { TokenIssuer } from '../authentication/index.ts';
import type { SubresourceHandler } from '../handlers/endpoint.ts';
import { type AgentAccess, agentFinder, plainAgentAccess } from './agent-access.ts';
import { admitted, podConnectionHandler } from './connections.ts';
import { handleCustomScale } from './custom-scale.ts';
import { handleEphemeralContainers } from './ephemeral-containers.ts';
import { evictionHandler } from './eviction.ts';
import { handlePodBinding } from './pod-binding.ts';
import { podLogHandler } from './pod-log.ts';
import { nodeProxyHandler, podProxyHandler, serviceProxyHandler } from './proxies.ts';
import { handleScale } from './scale.ts';
import { tokenRequestHandler } from './token-request.ts';

/** What the handlers of subresources work on. */
export interface SubresourceOptions {
  readonly stores: Stores;
  /** Signs service account tokens; without one they cannot be asked for. */
  readonly tokenIssuer?: TokenIssuer | undefined;
  /** How agents are reached; without it, without a certificate. */
  readonly agents?: AgentAccess | undefined;
}

/** Handlers by `group/resource/subresource`, as `dispatch` looks them up. */
export function createSubresourceHandlers({
  stores,
  tokenIssuer,
  agents = plainAgentAccess(),
}: SubresourceOptions): ReadonlyMap<string, SubresourceHandler> {
  const findAgent = agentFinder(stores, agents.choice);
  const connect = admitted(podConnectionHandler(agents, findAgent));
  const handlers = new Map<string, SubresourceHandler>([
    ['apps/deployments/scale', handleScale],
    ['apps/replicasets/scale', handleScale],
    ['apps/statefulsets/scale', handleScale],
    ['/replicationcontrollers/scale', handleScale],
    ['*/scale', handleCustomScale],
    ['/pods/binding', handlePodBinding],
    ['/pods/eviction', evictionHandler(() => stores.served.get('policy/v1beta1/poddisruptionbudgets'))],
    ['/pods/ephemeralcontainers', handleEphemeralContainers],
    ['/pods/log', podLogHandler(agents, findAgent)],
    ['/pods/exec', connect],
    ['/pods/attach', connect],
    ['/pods/portforward', connect],
    ['/pods/proxy', admitted(podProxyHandler(agents))],
    ['/nodes/proxy', admitted(nodeProxyHandler(agents, findAgent))],
    ['/services/proxy', admitted(serviceProxyHandler({ access: agents, stores, random: Math.random }))],
  ]);
  if (tokenIssuer !== undefined) {
    handlers.set('/serviceaccounts/token', tokenRequestHandler(stores, tokenIssuer));
  }
  return handlers;
}
