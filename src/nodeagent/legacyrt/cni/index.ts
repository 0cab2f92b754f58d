/**
 * Networks of pods by plugins of the container network interface (CNI): reads the first configuration of a folder, runs
 * its plugins in a pod's network namespace, and keeps their results where a restarted agent and other tools find them.
 * Knows nothing of the engine but the process that holds a namespace.
 */
export { type CniNetworkOptions, createCniNetwork } from './cni-network.ts';
