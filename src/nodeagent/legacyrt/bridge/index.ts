/**
 * Networks of pods on a bridge of the agent's own: the configuration for the standard plugins is made here from the
 * node's range of addresses, and the bridge, its rules of packets and what gone pods have left are brought in line with
 * the options. After release 1.20's simple network; there are no routes between nodes.
 */
export { type BridgeNetworkOptions, type BridgeSettings, createBridgeNetwork } from './bridge-network.ts';
