import type { Clock, Logger } from '../base/index.ts';
import { etcdServers, type ServeConfig } from '../config/serve/index.ts';
import {
  isGlobalAddress,
  isLoopback,
  isWildcard,
  listInterfaceAddresses,
  type RoutedAddressInputs,
  readDefaultRoutes,
  routedAddress,
} from '../net/addresses/index.ts';
import type { Storage } from '../storage/index.ts';
import type { ApiModel } from './api-model.ts';
import { type BootstrapSources, endpointSettler, lookEveryMs, settleEndpoints } from './bootstrap.ts';
import { endpointLeases, keepEndpointLease } from './endpoint-leases.ts';
import { repeat } from './repeat.ts';

export interface OwnEndpointsOptions {
  readonly config: Pick<ServeConfig, 'endpointReconcilerType' | 'etcdServers' | 'storage'>;
  /** The address that the cluster is told; undefined on a machine that others cannot reach. */
  readonly advertiseAddress: string | undefined;
  readonly model: Pick<ApiModel, 'root'>;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The addresses at which the API is found, this server's among them. */
export interface OwnEndpoints {
  /** As they are now; none on a machine without an address, or where somebody else keeps them. */
  readonly addresses: readonly string[];
  /** Keeps the API's endpoints up to date. The returned function ends that and takes this server out. */
  keep(sources: BootstrapSources): () => Promise<void>;
}

/**
 * Finds out where the API is. Servers that share a store know of each other by leases.
 *
 * @throws StorageError
 */
export async function openOwnEndpoints(options: OwnEndpointsOptions): Promise<OwnEndpoints> {
  const { config, model, storage, clock, logger, advertiseAddress: address } = options;
  const keepNothing = () => async () => {};
  if (address === undefined || config.endpointReconcilerType === 'none') {
    return { addresses: [], keep: keepNothing };
  }
  if (!isGlobalAddress(address)) {
    // Helpers of tests advertise loopback. The reference logs that its endpoints are refused, and goes on as well.
    logger.error('no endpoints for the API, because no other machine can reach the advertised address', {
      address,
    });
    return { addresses: [], keep: keepNothing };
  }
  if (etcdServers(config) === undefined) {
    return { addresses: [address], keep: (sources) => keepShown(sources, { clock, logger }) };
  }
  const leases = endpointLeases({ storage, root: model.root, address });
  await leases.renew();
  return {
    addresses: await leases.list(),
    keep: (sources) =>
      keepEndpointLease(
        leases,
        (addresses) => settleEndpoints({ ...sources, advertiseAddresses: addresses }),
        {
          clock,
          logger,
        },
      ),
  };
}

/** Puts the addresses of the only server of a store back where somebody changed them. The returned function ends that. */
function keepShown(
  sources: BootstrapSources,
  { clock, logger }: Pick<OwnEndpointsOptions, 'clock' | 'logger'>,
): () => Promise<void> {
  const ending = new AbortController();
  const kept = repeat(endpointSettler(sources), {
    clock,
    intervalMs: lookEveryMs,
    signal: ending.signal,
    onError: (error) => logger.error('endpoints of the API were not put back', { error }),
  });
  return async () => {
    ending.abort();
    await kept;
  };
}

/** The flags that say where a server is. */
export type AddressFlags = Pick<ServeConfig, 'advertiseAddress' | 'bindAddress'>;

/** The address that the cluster is told, of this machine as it is now. It is chosen once, when a server starts. */
export async function findAdvertiseAddress(flags: AddressFlags): Promise<string | undefined> {
  return chooseAdvertiseAddress(flags, {
    routes: await readDefaultRoutes(),
    interfaces: listInterfaceAddresses(),
  });
}

/**
 * `--advertise-address`, else the bind address, else that of the interface with the default route; wildcards say nothing,
 * and loopback is nobody else's. A machine without such a route has the first address that others could reach, or none.
 * Source: release 1.20, which does not start without a default route.
 */
export function chooseAdvertiseAddress(
  { advertiseAddress, bindAddress }: AddressFlags,
  machine: RoutedAddressInputs,
): string | undefined {
  if (advertiseAddress !== undefined && !isWildcard(advertiseAddress)) return advertiseAddress;
  if (!isWildcard(bindAddress) && !isLoopback(bindAddress)) return bindAddress;
  const family = bindAddress.includes(':') ? 'IPv6' : 'IPv4';
  const addresses = machine.interfaces.map(({ address }) => address).filter(isGlobalAddress);
  const isWanted = (address: string): boolean => address.includes(':') === (family === 'IPv6');
  return routedAddress(machine, family) ?? addresses.find(isWanted) ?? addresses[0];
}
