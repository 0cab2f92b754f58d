import { isIP } from 'node:net';
import {
  type InterfaceAddress,
  isLinkLocal,
  isLoopback,
  isMulticast,
  isWildcard,
  type RoutedAddressInputs,
  routedAddress,
} from '../../net/addresses/index.ts';

/** What an address is chosen from. */
export interface AddressInputs extends RoutedAddressInputs {
  /** As options give it: one address, `0.0.0.0` or `::` for any of its family, or none. */
  readonly nodeIp: string | undefined;
  readonly hostname: string;
  /** What the hostname resolves to, in that order. */
  readonly resolved: readonly string[];
}

type Chosen = { readonly address: string } | { readonly problem: string };

/**
 * The node's own address: the configured one, else an address of the hostname, else that of the interface with the
 * default route. It must belong to an interface of the machine and be reachable from others.
 */
export function chooseAddress(inputs: AddressInputs): Chosen {
  const { nodeIp, hostname, resolved, interfaces } = inputs;
  if (nodeIp !== undefined && !isWildcard(nodeIp)) {
    const problem = addressProblem(nodeIp, interfaces);
    return problem === undefined ? { address: nodeIp } : { problem: `failed to validate nodeIP: ${problem}` };
  }
  if (isIP(hostname) !== 0) return { address: hostname };
  const wantsIpv6 = nodeIp === '::';
  const usable = resolved.filter((address) => addressProblem(address, interfaces) === undefined);
  const preferred = usable.find((address) => (isIP(address) === 6) === wantsIpv6);
  // Without a wish, an address of the other family is better than none.
  const found =
    preferred ??
    (nodeIp === undefined ? usable[0] : undefined) ??
    routedAddress(inputs, wantsIpv6 ? 'IPv6' : 'IPv4');
  return found === undefined
    ? { problem: `can't get ip address of node ${hostname}. error: no default routes found` }
    : { address: found };
}

/** Why an address cannot be that of a node; undefined when it can. */
function addressProblem(address: string, interfaces: readonly InterfaceAddress[]): string | undefined {
  if (isLoopback(address)) return "nodeIP can't be loopback address";
  if (isMulticast(address)) return "nodeIP can't be a multicast address";
  if (isLinkLocal(address)) return "nodeIP can't be a link-local unicast address";
  if (isWildcard(address)) return "nodeIP can't be an all zeros address";
  const desired = canonical(address);
  if (interfaces.some((one) => canonical(one.address) === desired)) return undefined;
  return `node IP: "${address}" not found in the host's network interfaces`;
}

/** One text for all spellings of an address. */
function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address;
}
