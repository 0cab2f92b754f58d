/** An IP address. IPv4 has 4 bytes, IPv6 has 16; an IPv6 text that embeds IPv4 (`::ffff:1.2.3.4`) is IPv6. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bytes: Uint8Array;
}

/** An address and the number of leading bits that name its network. */
export interface IpNetwork {
  /** The network's first address: bits after the prefix are zero. */
  readonly first: IpAddress;
  /** The address as it was written. */
  readonly address: IpAddress;
  readonly prefixBits: number;
}

/** Four decimal bytes. Leading zeros are accepted, as in release 1.20. */
function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.', 5);
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,8}$/.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  return Uint8Array.from(parts, Number);
}

/** Sixteen-bit groups of one side of `::`; the last may be IPv4. */
function parseGroups(text: string, allowsIpv4: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':', 9);
  for (const [position, part] of parts.entries()) {
    const ipv4 =
      allowsIpv4 && position === parts.length - 1 && part.includes('.') ? parseIpv4(part) : undefined;
    if (ipv4 !== undefined) {
      const [a = 0, b = 0, c = 0, d = 0] = ipv4;
      groups.push(a * 256 + b, c * 256 + d);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

function parseIpv6(text: string): Uint8Array | undefined {
  const gap = text.indexOf('::');
  const left = parseGroups(gap < 0 ? text : text.slice(0, gap), gap < 0);
  const right = gap < 0 ? [] : parseGroups(text.slice(gap + 2), true);
  if (left === undefined || right === undefined) return undefined;
  const missing = 8 - left.length - right.length;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...new Array<number>(missing).fill(0), ...right];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]));
}

/** An address from its text, or undefined when it is none. Zones (`%eth0`) are refused. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.length > 64) return undefined;
  const isV6 = text.includes(':');
  const bytes = isV6 ? parseIpv6(text) : parseIpv4(text);
  return bytes && { family: isV6 ? 6 : 4, bytes };
}

/** True for the text of an IPv4 or IPv6 address. */
export const isIpText = (text: string): boolean => parseIp(text) !== undefined;

/** A network from `10.0.0.0/24`, or undefined when the text is none. */
export function parseCidr(text: string): IpNetwork | undefined {
  const slash = text.indexOf('/');
  const address = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const bitsText = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,3}$/.test(bitsText)) return undefined;
  const prefixBits = Number(bitsText);
  if (prefixBits > address.bytes.length * 8) return undefined;
  const first = address.bytes.map((byte, position) => byte & maskByte(prefixBits, position));
  return { first: { family: address.family, bytes: first }, address, prefixBits };
}

const maskByte = (prefixBits: number, position: number): number =>
  (0xff00 >> Math.min(8, Math.max(0, prefixBits - position * 8))) & 0xff;

/** True when `address` lies in `network`. Families never mix, except that `::ffff:a.b.c.d` counts as IPv4. */
export function networkContains(network: IpNetwork, address: IpAddress): boolean {
  const { family, bytes: networkBytes } = network.first;
  const bytes = family === 4 ? asIpv4(address) : address.bytes;
  if (bytes?.length !== networkBytes.length) return false;
  return bytes.every((byte, at) => (byte & maskByte(network.prefixBits, at)) === networkBytes[at]);
}

/** The four bytes of an IPv4 address, also of one embedded in IPv6. */
export function asIpv4(address: IpAddress): Uint8Array | undefined {
  if (address.family === 4) return address.bytes;
  const isMapped = address.bytes.every((byte, at) => (at < 10 ? byte === 0 : at > 11 || byte === 255));
  return isMapped ? address.bytes.subarray(12) : undefined;
}
