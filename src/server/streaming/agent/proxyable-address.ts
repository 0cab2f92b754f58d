import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { badRequest } from '../../../machinery/errors/index.ts';

/** Addresses that a proxy must not reach: loopback, link-local, multicast and unspecified ones. */
const refused = new BlockList();
refused.addSubnet('127.0.0.0', 8);
refused.addSubnet('169.254.0.0', 16);
refused.addSubnet('224.0.0.0', 4);
refused.addAddress('0.0.0.0');
refused.addAddress('255.255.255.255');
refused.addAddress('::', 'ipv6');
refused.addAddress('::1', 'ipv6');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('ff00::', 8, 'ipv6');

/** True for addresses that a proxy may connect to: those that are global unicast, private networks included. */
export function isProxyableAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  // An IPv4-mapped IPv6 address is also checked as an IPv4 address.
  return !refused.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * An address of a host that a proxy may connect to. All addresses of the host must be allowed, so that its DNS cannot
 * choose a refused one.
 *
 * @throws StatusError 400 for addresses that are refused, and names that are not known.
 */
export async function resolveProxyable(host: string): Promise<string> {
  const name = isIPv6(host) ? (host.split('%')[0] ?? host) : host;
  const found = isIP(name) === 0 ? await lookUp(name) : [name];
  if (!found.every(isProxyableAddress)) throw badRequest('address not allowed');
  const [first] = found;
  if (first === undefined) throw badRequest('no addresses for hostname');
  return first;
}

async function lookUp(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch {
    throw badRequest(`lookup ${name}: no such host`);
  }
}
