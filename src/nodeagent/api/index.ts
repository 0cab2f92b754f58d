/**
 * The servers of the agent: the secure port with authentication and authorization, the read-only port and the health
 * port; pods, logs, commands and streams in containers, statistics and metrics, submitted manifests. It asks the agent
 * through `AgentView`, relays streams to the runtime's streaming server, and decides nothing about pods. Paths, texts and
 * order of checks are those of the agent of release 1.20; `/manifests` is ours.
 */
export { MetricRegistry } from '../../net/metrics/index.ts';
export type { AgentServers, AgentServersOptions, ServingPair, ServingPairSource } from './agent-servers.ts';
export type { AgentView, VolumeUsage, VolumeUsageSource } from './agent-view.ts';
export { type AgentMetrics, createAgentMetrics } from './metrics/agent-metrics.ts';
export { measureRuntime } from './metrics/measured-runtime.ts';
export { startAgentServers } from './start-agent-servers.ts';
