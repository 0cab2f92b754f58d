import { isIP } from 'node:net';
import type { DefaultRoute } from './default-routes.ts';

/** An address of an interface of the machine. */
export interface InterfaceAddress {
  readonly interfaceName: string;
  readonly address: string;
}

/** What an address is chosen from. */
export interface AddressInputs {
  /** As options give it: one address, `0.0.0.0` or `::` for any of its family, or none. */
  readonly nodeIp: string | undefined;
  readonly hostname: string;
  /** What the hostname resolves to, in that order. */
  readonly resolved: readonly string[];
  readonly interfaces: readonly InterfaceAddress[];
  readonly routes: readonly DefaultRoute[];
}

type Chosen = { readonly address: string } | { readonly problem: string };

/**
 * The node's own address: the configured one, else an address of the hostname, else that of the interface with the
 * default route. It must belong to an interface of the machine and be reachable from others.
 */
export function chooseAddress(inputs: AddressInputs): Chosen {
  const { nodeIp, hostname, resolved, interfaces } = inputs;
  if (nodeIp !== undefined && nodeIp !== '0.0.0.0' && nodeIp !== '::') {
    const problem = addressProblem(nodeIp, interfaces);
    return problem === undefined ? { address: nodeIp } : { problem: `failed to validate nodeIP: ${problem}` };
  }
  if (isIP(hostname) !== 0) return { address: hostname };
  const wantsIpv6 = nodeIp === '::';
  const usable = resolved.filter((address) => addressProblem(address, interfaces) === undefined);
  const preferred = usable.find((address) => (isIP(address) === 6) === wantsIpv6);
  // Without a wish, an address of the other family is better than none.
  const found =
    preferred ?? (nodeIp === undefined ? usable[0] : undefined) ?? routedAddress(inputs, wantsIpv6);
  return found === undefined
    ? { problem: `can't get ip address of node ${hostname}. error: no default routes found` }
    : { address: found };
}

/** Why an address cannot be that of a node; undefined when it can. */
function addressProblem(address: string, interfaces: readonly InterfaceAddress[]): string | undefined {
  if (address.startsWith('127.') || address === '::1') return "nodeIP can't be loopback address";
  if (isMulticast(address)) return "nodeIP can't be a multicast address";
  if (isLinkLocal(address)) return "nodeIP can't be a link-local unicast address";
  if (address === '0.0.0.0' || address === '::') return "nodeIP can't be an all zeros address";
  const desired = canonical(address);
  if (interfaces.some((one) => canonical(one.address) === desired)) return undefined;
  return `node IP: "${address}" not found in the host's network interfaces`;
}

const isLinkLocal = (address: string): boolean =>
  address.startsWith('169.254.') || /^fe[89ab][0-9a-f]:/i.test(address);

function isMulticast(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return isIP(address) === 6 ? /^ff/i.test(address) : first >= 224 && first <= 239;
}

/** First useful address of the first interface with a default route; another family where there is no such route. */
function routedAddress({ routes, interfaces }: AddressInputs, wantsIpv6: boolean): string | undefined {
  const family = wantsIpv6 ? 'IPv6' : 'IPv4';
  const ordered = [
    ...routes.filter((route) => route.family === family),
    ...routes.filter((route) => route.family !== family),
  ];
  for (const { interfaceName, family: routeFamily } of ordered) {
    const found = interfaces.find(
      (one) =>
        one.interfaceName === interfaceName &&
        (isIP(one.address) === 6) === (routeFamily === 'IPv6') &&
        addressProblem(one.address, interfaces) === undefined,
    );
    if (found !== undefined) return found.address;
  }
  return undefined;
}

/** One text for all spellings of an address. */
function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address;
}
