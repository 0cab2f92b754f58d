import type { ServeConfig } from '../config/serve/index.ts';
import {
  isGlobalAddress,
  isLoopback,
  isWildcard,
  listInterfaceAddresses,
  type RoutedAddressInputs,
  readDefaultRoutes,
  routedAddress,
} from '../net/addresses/index.ts';

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
