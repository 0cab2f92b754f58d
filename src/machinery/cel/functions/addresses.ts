import {
  asIpv4,
  type IpAddress,
  type IpNetwork,
  networkContains,
  parseCidr,
  parseIp,
} from '../../formats/index.ts';
import { Failure, Opaque, type Value } from '../values.ts';
import { ofText } from './extensions.ts';
import type { Implementation } from './standard.ts';

/** Later releases take no leading zeros and no IPv4 inside IPv6. */
function readIp(text: string): IpAddress | undefined {
  if (/(^|\.)0\d/.test(text)) return undefined;
  const address = parseIp(text);
  return address?.family === 6 && asIpv4(address) !== undefined ? undefined : address;
}

function readCidr(text: string): IpNetwork | undefined {
  const slash = text.indexOf('/');
  if (slash < 0 || readIp(text.slice(0, slash)) === undefined || /\/0\d/.test(text)) return undefined;
  return parseCidr(text);
}

const isSameAddress = (a: IpAddress, b: IpAddress): boolean =>
  a.bytes.length === b.bytes.length && a.bytes.every((byte, at) => byte === b.bytes[at]);

class IpValue extends Opaque {
  override readonly typeName = 'net.IP';
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  override equals(other: Opaque): boolean {
    return other instanceof IpValue && isSameAddress(this.address, other.address);
  }
}

class CidrValue extends Opaque {
  override readonly typeName = 'net.CIDR';
  readonly network: IpNetwork;

  constructor(network: IpNetwork) {
    super();
    this.network = network;
  }

  override equals(other: Opaque): boolean {
    if (!(other instanceof CidrValue)) return false;
    const { address, prefixBits } = other.network;
    return prefixBits === this.network.prefixBits && isSameAddress(address, this.network.address);
  }
}

/** An address as it is usually written: the longest run of zeros is left out (RFC 5952). */
function formatIp({ family, bytes }: IpAddress): string {
  if (family === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  const runs = [
    ...groups
      .map((group) => (group === '0' ? '0' : 'x'))
      .join('')
      .matchAll(/00+/g),
  ];
  const longest = runs.reduce<RegExpExecArray | undefined>(
    (best, run) => (best === undefined || run[0].length > best[0].length ? run : best),
    undefined,
  );
  if (longest === undefined) return groups.join(':');
  const end = longest.index + longest[0].length;
  return `${groups.slice(0, longest.index).join(':')}::${groups.slice(end).join(':')}`;
}

function ofIp(run: (address: IpAddress) => Value): Implementation {
  return ([ip]) => (ip instanceof IpValue ? run(ip.address) : undefined);
}

type OfCidr = (network: IpNetwork, other: Value | undefined) => Value | Failure | undefined;

function ofCidr(run: OfCidr): Implementation {
  return ([cidr, other]) => (cidr instanceof CidrValue ? run(cidr.network, other) : undefined);
}

function containsIp(network: IpNetwork, other: Value | undefined): Value | Failure | undefined {
  if (other instanceof IpValue) return networkContains(network, other.address);
  if (typeof other !== 'string') return undefined;
  const address = readIp(other);
  return address === undefined ? badIp(other) : networkContains(network, address);
}

function containsCidr(network: IpNetwork, other: Value | undefined): Value | Failure | undefined {
  if (!(other instanceof CidrValue) && typeof other !== 'string') return undefined;
  const inner = typeof other === 'string' ? readCidr(other) : other.network;
  if (inner === undefined) return badCidr(String(other));
  return inner.prefixBits >= network.prefixBits && networkContains(network, inner.first);
}

const badIp = (text: string): Failure =>
  new Failure(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
const badCidr = (text: string): Failure =>
  new Failure(`network address parse error during conversion from string: ${JSON.stringify(text)}`);

const [ipv4Multicast, ipv6Multicast] = ['224.0.0.0/24', 'ff02::/16'];
const [ipv4LinkLocal, ipv6LinkLocal] = ['169.254.0.0/16', 'fe80::/10'];
const isIn = (address: IpAddress, ...texts: string[]): boolean =>
  texts.some((text) => {
    const network = parseCidr(text);
    return network !== undefined && networkContains(network, address);
  });

const isUnspecified = (address: IpAddress): boolean => address.bytes.every((byte) => byte === 0);
const isLoopback = (address: IpAddress): boolean => isIn(address, '127.0.0.0/8', '::1/128');
const isMulticast = (address: IpAddress): boolean => isIn(address, '224.0.0.0/4', 'ff00::/8');
const isBroadcast = ({ family, bytes }: IpAddress): boolean =>
  family === 4 && bytes.every((byte) => byte === 255);

/** Functions that make addresses and networks. */
export const addressFunctions: Readonly<Record<string, Implementation>> = {
  ip: ofText((text) => {
    const address = readIp(text);
    return address === undefined ? badIp(text) : new IpValue(address);
  }),
  isIP: ofText((text) => readIp(text) !== undefined),
  'ip.isCanonical': ofText((text) => {
    const address = readIp(text);
    return address === undefined ? badIp(text) : formatIp(address) === text;
  }),
  cidr: ofText((text) => {
    const network = readCidr(text);
    return network === undefined ? badCidr(text) : new CidrValue(network);
  }),
  isCIDR: ofText((text) => readCidr(text) !== undefined),
  string: ([value]) => {
    if (value instanceof IpValue) return formatIp(value.address);
    if (!(value instanceof CidrValue)) return undefined;
    const { address, prefixBits } = value.network;
    return `${formatIp(address)}/${prefixBits}`;
  },
};

/** Members of addresses and networks. */
export const addressMembers: Readonly<Record<string, Implementation>> = {
  family: ofIp(({ family }) => BigInt(family)),
  isUnspecified: ofIp(isUnspecified),
  isLoopback: ofIp(isLoopback),
  isLinkLocalMulticast: ofIp((address) => isIn(address, ipv4Multicast, ipv6Multicast)),
  isLinkLocalUnicast: ofIp((address) => isIn(address, ipv4LinkLocal, ipv6LinkLocal)),
  isGlobalUnicast: ofIp(
    (address) =>
      !isUnspecified(address) &&
      !isLoopback(address) &&
      !isMulticast(address) &&
      !isBroadcast(address) &&
      !isIn(address, ipv4LinkLocal, ipv6LinkLocal),
  ),
  containsIP: ofCidr(containsIp),
  containsCIDR: ofCidr(containsCidr),
  ip: ofCidr(({ address }) => new IpValue(address)),
  masked: ofCidr((network) => new CidrValue({ ...network, address: network.first })),
  prefixLength: ofCidr(({ prefixBits }) => BigInt(prefixBits)),
};
