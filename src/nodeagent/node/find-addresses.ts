import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { NodeAddress } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { isWildcard, listInterfaceAddresses, readDefaultRoutes } from '../../net/addresses/index.ts';
import { chooseAddress } from './choose-address.ts';

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
