/**
 * Networks of pods by plugins of the container network interface (CNI): reads the first configuration of a folder, runs
 * its plugins in a pod's network namespace, and keeps their results where a restarted agent and other tools find them.
 * Knows nothing of the engine but the process that holds a namespace.
 */
export { Attachments, type AttachmentsOptions, type ConnectSteps } from './attachments.ts';
export type { CapabilityArgs } from './capabilities.ts';
export { type CniNetworkOptions, createCniNetwork } from './cni-network.ts';
export type { NetworkConfig, PluginConfig } from './read-networks.ts';
export { findPlugin } from './run-plugin.ts';
