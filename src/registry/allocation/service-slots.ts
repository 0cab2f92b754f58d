import {
  type AddressRange,
  contains,
  heldAddresses,
  heldPorts,
  offsetOf,
  type PortRange,
} from '../../apis/core/index.ts';
import type { Service } from '../../apis/types/core-v1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';

/** The ranges that services are served from. */
export interface ServiceRanges {
  readonly addresses: AddressRange;
  /** Addresses of the other family, where the cluster has both. */
  readonly otherAddresses?: AddressRange | undefined;
  readonly ports: PortRange;
}

/** Place of an address in its pool: slots count from the first address that may be given out. -1 and less are outside. */
export const addressSlot = (range: AddressRange, address: string): number =>
  (offsetOf(range, address) ?? 0) - 1;

/** Place of a node port in its pool. */
export const portSlot = (range: PortRange, port: number): number => port - range.first;

/** Slots of all addresses and ports that stored services hold; those outside of the ranges are left out. */
export function slotsHeldBy(
  services: Iterable<ApiObject>,
  { addresses, otherAddresses, ports }: ServiceRanges,
): Readonly<Record<'addresses' | 'otherAddresses' | 'ports', ReadonlySet<number>>> {
  const held = { addresses: new Set<number>(), otherAddresses: new Set<number>(), ports: new Set<number>() };
  for (const object of services) {
    const service = object as unknown as Service; // the callers pass objects of the store of services
    for (const address of heldAddresses(service)) {
      if (contains(addresses, address)) held.addresses.add(addressSlot(addresses, address));
      else if (otherAddresses !== undefined && contains(otherAddresses, address)) {
        held.otherAddresses.add(addressSlot(otherAddresses, address));
      }
    }
    for (const port of heldPorts(service)) {
      if (port >= ports.first && port <= ports.last) held.ports.add(portSlot(ports, port));
    }
  }
  return held;
}
