import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { NodeAddress } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import {
  type InterfaceAddress,
  isLinkLocal,
  isLoopback,
  isMulticast,
  isWildcard,
  listInterfaceAddresses,
  type RoutedAddressInputs,
  readDefaultRoutes,
  routedAddress,
} from '../../net/addresses/index.ts';
import type { AgentConfig } from '../options/index.ts';

/**
 * The configured addresses (`--node-ip`), and the host name that is looked up where they leave the choice
 * open.
 */
export interface AddressFinderOptions {
  /** At most one of each family. */
  readonly nodeIps: readonly string[];
  readonly hostname: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The addresses that a node shows: those that its cloud has given it stand when that is an external one. */
export function statusAddresses(
  { cloudProvider }: Pick<AgentConfig, 'cloudProvider'>,
  {
    shown = [],
    found,
  }: { readonly shown?: readonly NodeAddress[] | undefined; readonly found: readonly NodeAddress[] },
): readonly NodeAddress[] {
  return cloudProvider === 'external' && shown.length > 0 ? shown : found;
}

/** A name server that does not answer must not hold the node's registration up. */
const lookupLimitMs = 2000;
/** How long resolved addresses of the hostname are reused. */
const lookupAgeMs = 300_000;

/** Finds the addresses of the node, and says why when there are none. */
export class AddressFinder {
  readonly #options: AddressFinderOptions;
  #resolved: readonly string[] = [];
  #resolvedAtMs = Number.NEGATIVE_INFINITY;
  #problem: string | undefined;

  constructor(options: AddressFinderOptions) {
    this.#options = options;
  }

  /** Internal addresses and the hostname; nothing when an address cannot be used, as in release 1.20. */
  async find(): Promise<NodeAddress[]> {
    const { nodeIps, hostname, logger } = this.#options;
    const wishes: readonly (string | undefined)[] = nodeIps.length === 0 ? [undefined] : nodeIps;
    const inputs = {
      hostname,
      resolved: wishes.some(needsLookup) ? await this.#resolve() : [],
      interfaces: listInterfaceAddresses(),
      routes: await readDefaultRoutes(),
    };
    const found: NodeAddress[] = [];
    for (const nodeIp of wishes) {
      const chosen = chooseAddress({ ...inputs, nodeIp });
      if ('problem' in chosen) {
        if (chosen.problem !== this.#problem)
          logger.error('node address lookup failed', { problem: chosen.problem });
        this.#problem = chosen.problem;
        return [];
      }
      found.push({ type: 'InternalIP', address: chosen.address });
    }
    this.#problem = undefined;
    return [...found, { type: 'Hostname', address: hostname }];
  }

  async #resolve(): Promise<readonly string[]> {
    const { hostname, clock } = this.#options;
    if (isIP(hostname) !== 0 || clock.nowMs() - this.#resolvedAtMs < lookupAgeMs) return this.#resolved;
    this.#resolvedAtMs = clock.nowMs();
    this.#resolved = await new Promise<readonly string[]>((resolve) => {
      const cancel = clock.setTimer(lookupLimitMs, () => resolve([]));
      lookup(hostname, { all: true })
        .then((answers) => answers.map(({ address }) => address))
        .catch(() => []) // a name that cannot be resolved has no addresses
        .then((addresses) => {
          cancel();
          resolve(addresses);
        });
    });
    return this.#resolved;
  }
}

const needsLookup = (nodeIp: string | undefined): boolean => nodeIp === undefined || isWildcard(nodeIp);

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
