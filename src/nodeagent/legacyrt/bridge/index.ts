/**
 * Networks of pods on a bridge of the agent's own: builds the configuration of the standard CNI plugins from the node's
 * range of addresses, configures the bridge and its packet rules, and removes attachments and addresses of pods that no
 * longer exist. Follows release 1.20's simple network plugin; there are no routes between nodes.
 */
export { type BridgeNetworkOptions, type BridgeSettings, createBridgeNetwork } from './bridge-network.ts';
