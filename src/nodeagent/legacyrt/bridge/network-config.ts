import { type IpNetwork, parseCidr } from '../../../machinery/formats/index.ts';
import type { CapabilityArgs } from '../cni/capabilities.ts';
import type { NetworkConfig, PluginConfig } from '../cni/read-networks.ts';

/** How packets that a pod sends to itself through a Service are delivered (`--hairpin-mode`). */
export type HairpinMode = 'promiscuous-bridge' | 'hairpin-veth' | 'none';

/** A range of addresses of pods on this node. */
export interface PodRange {
  /** As it was given: `10.1.2.0/24`. */
  readonly text: string;
  readonly network: IpNetwork;
}

/** What the CNI configuration of the agent's own bridge says. */
export interface NetworkConfigOptions {
  readonly name: string;
  readonly bridge: string;
  readonly mtuBytes: number;
  readonly hairpinMode: HairpinMode;
  readonly ranges: readonly PodRange[];
  /** Where addresses that are in use are kept. */
  readonly addressFolder: string;
}

/** Plugins without which no pod can be connected. */
export const requiredPlugins = ['bridge', 'host-local', 'loopback'] as const;

/** Version of the CNI specification; the plugins support it from their release 0.8 on. */
const cniVersion = '0.4.0';

const everywhere = { 4: '0.0.0.0/0', 6: '::/0' } as const;

/** Plugins that run only for pods that use their capability: host ports, or bandwidth limits. */
const onDemand: readonly PluginConfig[] = [
  { type: 'portmap', capabilities: { portMappings: true } },
  { type: 'bandwidth', capabilities: { bandwidth: true } },
];

/** The ranges in a list, one for each family at most; undefined when it is none. */
export function parsePodRanges(podCidr: string): readonly PodRange[] | undefined {
  const texts = podCidr.split(',').map((text) => text.trim());
  const ranges = texts.flatMap((text) => {
    const network = parseCidr(text);
    return network === undefined ? [] : [{ text, network }];
  });
  return ranges.length === texts.length ? ranges : undefined;
}

/**
 * Network configuration of a pod with these settings: a bridge with the first address of each range, which is the pod's
 * default gateway.
 */
export function podNetworkConfig(options: NetworkConfigOptions, args: CapabilityArgs): NetworkConfig {
  const { name, bridge, mtuBytes, hairpinMode, ranges, addressFolder } = options;
  const families = new Set(ranges.map(({ network }) => network.first.family));
  const ipam = {
    type: 'host-local',
    ranges: ranges.map(({ text }) => [{ subnet: text }]),
    routes: [...families].map((family) => ({ dst: everywhere[family] })),
    dataDir: addressFolder,
  };
  const own: PluginConfig = {
    type: 'bridge',
    bridge,
    mtu: mtuBytes,
    isGateway: true,
    ipMasq: false,
    hairpinMode: hairpinMode === 'hairpin-veth',
    ipam,
  };
  return { name, cniVersion, plugins: [own, ...onDemand.filter((plugin) => isAskedFor(plugin, args))] };
}

/** The loopback of a pod. */
export const loopbackPlugin = (name: string): PluginConfig & { readonly interfaceName: string } => ({
  cniVersion,
  name: `${name}-loopback`,
  type: 'loopback',
  interfaceName: 'lo',
});

/** The address that the bridge has of a range: the first one after that of the network itself. */
export function gatewayBytes({ network }: PodRange): Uint8Array {
  const bytes = Uint8Array.from(network.first.bytes);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
  return bytes;
}

function isAskedFor({ capabilities }: PluginConfig, args: CapabilityArgs): boolean {
  // The table above has nothing else there.
  return Object.keys(capabilities as object).some((name) => {
    const value = args[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
}
