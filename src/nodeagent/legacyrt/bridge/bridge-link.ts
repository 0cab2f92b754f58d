import { isJsonObject } from '../../../base/index.ts';
import { parseIp } from '../../../machinery/formats/index.ts';
import { gatewayBytes, type HairpinMode, type PodRange } from './network-config.ts';

/** What a bridge is like, as `ip` tells it. */
export interface BridgeLink {
  readonly name: string;
  readonly kind: string;
  readonly mac: string;
  readonly mtuBytes: number;
  readonly isPromiscuous: boolean;
  /** Those that lead beyond the link. */
  readonly addresses: readonly BridgeAddress[];
}

/** An address of a bridge: its text without the prefix, and the length of the prefix. */
export interface BridgeAddress {
  readonly text: string;
  readonly prefixBits: number;
}

/** One side of a pod's link, on the bridge. */
export interface BridgePort {
  readonly name: string;
  readonly isHairpin: boolean;
}

/** How the bridge is to be configured: one gateway address for each range of pod addresses. */
export interface DesiredBridge {
  readonly mtuBytes: number;
  readonly hairpinMode: HairpinMode;
  readonly ranges: readonly PodRange[];
}

/** The answer to `ip -details -json address show dev BRIDGE`; undefined for anything else. */
export function parseBridge(text: string): BridgeLink | undefined {
  const [link] = parseObjects(text);
  if (link === undefined || typeof link.ifname !== 'string' || typeof link.mtu !== 'number') return undefined;
  const addresses = objectsIn(link.addr_info).flatMap(({ local, prefixlen, scope }) =>
    typeof local === 'string' && typeof prefixlen === 'number' && scope !== 'link'
      ? [{ text: local, prefixBits: prefixlen }]
      : [],
  );
  return {
    name: link.ifname,
    kind: textIn(link.linkinfo, 'info_kind'),
    mac: typeof link.address === 'string' ? link.address : '',
    mtuBytes: link.mtu,
    isPromiscuous: Array.isArray(link.flags) && link.flags.includes('PROMISC'),
    addresses,
  };
}

/** The answer to `ip -details -json link show master BRIDGE`. */
export function parsePorts(text: string): readonly BridgePort[] {
  return parseObjects(text).flatMap(({ ifname, linkinfo }) => {
    if (typeof ifname !== 'string' || !isJsonObject(linkinfo) || !isJsonObject(linkinfo.info_slave_data))
      return [];
    return [{ name: ifname, isHairpin: linkinfo.info_slave_data.hairpin === true }];
  });
}

/** Arguments of the `ip` commands that change the bridge and its ports to what is desired. */
export function planBridge(
  link: BridgeLink,
  ports: readonly BridgePort[],
  { mtuBytes, hairpinMode, ranges }: DesiredBridge,
): readonly (readonly string[])[] {
  const [isPromiscuous, isHairpin] = [hairpinMode === 'promiscuous-bridge', hairpinMode === 'hairpin-veth'];
  const set = ['link', 'set', 'dev'] as const;
  return [
    ...(link.mtuBytes === mtuBytes ? [] : [[...set, link.name, 'mtu', String(mtuBytes)]]),
    ...(link.isPromiscuous === isPromiscuous ? [] : [[...set, link.name, 'promisc', onOff(isPromiscuous)]]),
    // The bridge plugin refuses a bridge whose address differs from the gateway in its configuration.
    ...link.addresses
      .filter((address) => !isGateway(address, ranges))
      .map(({ text, prefixBits }) => ['address', 'delete', `${text}/${prefixBits}`, 'dev', link.name]),
    ...ports
      .filter((port) => port.isHairpin !== isHairpin)
      .map(({ name }) => [...set, name, 'type', 'bridge_slave', 'hairpin', onOff(isHairpin)]),
  ];
}

/** Whether an address is the one that the bridge has of one of the ranges. */
function isGateway({ text, prefixBits }: BridgeAddress, ranges: readonly PodRange[]): boolean {
  const address = parseIp(text);
  return ranges.some(
    (range) =>
      range.network.prefixBits === prefixBits &&
      address !== undefined &&
      Buffer.compare(gatewayBytes(range), address.bytes) === 0,
  );
}

type Json = Readonly<Record<string, unknown>>;

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
const objectsIn = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

function textIn(value: unknown, key: string): string {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : '';
}

function parseObjects(text: string): readonly Json[] {
  try {
    return objectsIn(JSON.parse(text));
  } catch {
    return []; // The output is empty where there is no such link.
  }
}
