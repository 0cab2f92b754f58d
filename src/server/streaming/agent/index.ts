/**
 * Connections from this server to others: to the agents of nodes, and to pods and services. It streams logs, hands
 * upgraded connections through and proxies plain HTTP, all as release 1.20 does; whom a request may reach, and where
 * that one lives, is decided by the caller. It stores nothing; connections to agents are kept for the next log.
 */
export { type AgentChoice, agentBackend } from './agent-backend.ts';
export type { Backend, Trust } from './backend.ts';
export { answerTo, BackendClient, type BackendClientOptions } from './backend-client.ts';
export { upgradeHeaders } from './forwarded-headers.ts';
export { changedProxyPath, type ProxyPath, proxyPath } from './proxy-path.ts';
export { proxiedHeaders, proxyRequest, relayAnswer, sendBody } from './proxy-request.ts';
export { isProxyableAddress, resolveProxyable } from './proxyable-address.ts';
export { bodyApart, packingHeaders, unpacked } from './relay.ts';
export { streamLog } from './stream-log.ts';
export { isUpgradeRequest, passUpgradeOn, tunnel } from './tunnel.ts';
export { upgradeAnswer } from './upgrade-answer.ts';
