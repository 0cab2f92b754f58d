/** Connections from this server to others: to the agents */
export { type AgentChoice, agentBackend } from './agent-backend.ts';
export { type Backend, formatAuthority, type Trust } from './backend.ts';
export { BackendClient, type BackendClientOptions, type ClientPair } from './backend-client.ts';
export { proxyPath } from './proxy-path.ts';
export { proxyRequest } from './proxy-request.ts';
export { isProxyableAddress, resolveProxyable } from './proxyable-address.ts';
export { streamLog } from './stream-log.ts';
export { isUpgradeRequest, tunnel } from './tunnel.ts';
