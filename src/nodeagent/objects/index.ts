/**
 * What the node's pods refer to in the API server: config maps, secrets, claims and volumes, services, classes of runtimes,
 * tokens of service accounts. Keeps what is followed by watch, asks for the rest. It writes nothing to the API server but requests for
 * tokens, and nothing to the node; it looks at no object of pods that are not registered.
 */
export { type AgentObjectsOptions, type ChangeDetection, createAgentObjects } from './agent-objects.ts';
export type { AgentObjects, PodTokenRequest, TokenStatus } from './contract.ts';
export { gatherConfigSources } from './gather-config-sources.ts';
export { ServiceAccountTokenError } from './service-account-tokens.ts';
export type { ClaimStatusPatch } from './storage-objects.ts';
