import { asIpv4, parseIp, parseCidr as parseNetwork } from '../validation/index.ts';

/** A range of addresses as numbers, so that addresses can be counted. */
export interface AddressRange {
  /** Canonical text: network address, slash, prefix length. */
  readonly text: string;
  readonly family: 4 | 6;
  /** The network's own address. */
  readonly base: bigint;
  readonly prefixLength: number;
  /**
   * How many addresses may be given out, from `nthAddress(range, 1)` on: not the network's own, in IPv4 not the
   * broadcast address, and in IPv6 the first 65,535 only.
   */
  readonly usableCount: number;
}

const maxIpv6Addresses = 65_536;

/** A range from `10.0.0.0/24`; undefined when the text is none. Bits after the prefix are ignored. */
export function parseCidr(text: string): AddressRange | undefined {
  const network = parseNetwork(text);
  if (network === undefined) return undefined;
  const { first, prefixBits } = network;
  const family = first.family;
  const base = toNumber(first.bytes);
  const hostBits = first.bytes.length * 8 - prefixBits;
  const size = hostBits >= 31 ? 2 ** 31 : 2 ** hostBits;
  const usableCount = family === 4 ? size - 2 : Math.min(size, maxIpv6Addresses) - 1;
  return {
    text: `${formatAddress(base, family)}/${prefixBits}`,
    family,
    base,
    prefixLength: prefixBits,
    usableCount: Math.max(0, usableCount),
  };
}

/** The address `offset` after the network's own. @throws RangeError when it lies outside the range. */
export function nthAddress(range: AddressRange, offset: number): string {
  const value = range.base + BigInt(offset);
  const end = range.base + (1n << BigInt((range.family === 4 ? 32 : 128) - range.prefixLength));
  if (offset < 0 || value >= end) throw new RangeError(`address ${offset}: not in ${range.text}`);
  return formatAddress(value, range.family);
}

/** Place of an address in the range (0 is the network's own), or undefined when it lies outside. */
export function offsetOf(range: AddressRange, address: string): number | undefined {
  const value = parseAddress(address);
  if (value === undefined || value.family !== range.family) return undefined;
  const bits = range.family === 4 ? 32 : 128;
  const offset = value.number - range.base;
  if (offset < 0n || offset >= 1n << BigInt(bits - range.prefixLength)) return undefined;
  return offset > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(offset);
}

/** True when the address lies in the range and may be given out. */
export function contains(range: AddressRange, address: string): boolean {
  const offset = offsetOf(range, address);
  return offset !== undefined && offset >= 1 && offset <= range.usableCount;
}

function parseAddress(text: string): { number: bigint; family: 4 | 6 } | undefined {
  const ip = parseIp(text);
  if (ip === undefined) return undefined;
  const ipv4 = asIpv4(ip);
  return ipv4 === undefined
    ? { number: toNumber(ip.bytes), family: 6 }
    : { number: toNumber(ipv4), family: 4 };
}

const toNumber = (bytes: Uint8Array): bigint =>
  bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** Canonical text of an address: dotted decimal, or RFC 5952 for IPv6. */
function formatAddress(number: bigint, family: 4 | 6): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => Number((number >> BigInt(112 - at * 16)) & 0xffffn));
  const gap = longestZeros(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  if (gap === undefined) return hex(groups);
  return `${hex(groups.slice(0, gap.start))}::${hex(groups.slice(gap.start + gap.length))}`;
}

/** The first longest run of at least two zero groups. */
function longestZeros(groups: readonly number[]): { start: number; length: number } | undefined {
  let best: { start: number; length: number } | undefined;
  let start = 0;
  for (let at = 0; at <= groups.length; at++) {
    if (groups[at] === 0) continue;
    const length = at - start;
    if (length >= 2 && length > (best?.length ?? 0)) best = { start, length };
    start = at + 1;
  }
  return best;
}

/** A range of ports, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Ports from `30000-32767`, `30000+2767` or a single number; undefined when the text is none of them. */
export function parsePortRange(text: string): PortRange | undefined {
  const match = /^\s*(\d{1,5})(?:([-+])(\d{1,5}))?\s*$/.exec(text);
  if (match === null) return undefined;
  const first = Number(match[1]);
  const second = Number(match[3] ?? 0);
  const last = match[2] === '-' ? second : first + second;
  return last < first || last > 65_535 ? undefined : { first, last };
}

/** True when the port lies in the range. */
export const containsPort = (range: PortRange, port: number): boolean =>
  port >= range.first && port <= range.last;

/** `30000-32767`. */
export const formatPortRange = (range: PortRange): string => `${range.first}-${range.last}`;
