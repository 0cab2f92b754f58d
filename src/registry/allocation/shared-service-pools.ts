import { type AddressRange, formatPortRange } from '../../apis/core/index.ts';
import type { Logger } from '../../base/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { ServicePools } from './service-allocator.ts';
import { type ServiceRanges, slotsHeldBy } from './service-slots.ts';
import { SharedPool } from './shared-pool.ts';

/** The store in which several servers share the allocations of the same ranges. */
export interface SharedServicePoolsOptions extends ServiceRanges {
  readonly storage: Storage;
  /** Key prefix of everything, ends with `/`. */
  readonly root: string;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly logger: Logger;
}

/** Pools of service addresses and node ports that all processes of a store share. */
export interface SharedServicePools extends ServicePools {
  /**
   * Updates the pools from the stored services: what they hold is allocated; what was held by none, now and at the
   * previous repair, is free. Must have run once before the first allocation.
   */
  repair(services: Iterable<ApiObject>): Promise<void>;
}

/** Pools at the keys, and in the form, of release 1.20, so that servers of that release may share them. */
export function createSharedServicePools(options: SharedServicePoolsOptions): SharedServicePools {
  const {
    storage,
    root,
    addresses: addressRange,
    otherAddresses,
    ports: portRange,
    random,
    logger,
  } = options;
  const poolOf = ({ text, usableCount }: AddressRange, name: string): SharedPool =>
    new SharedPool({
      storage,
      key: `${root}ranges/${name}`,
      range: text,
      size: usableCount,
      what: 'serviceipallocations',
      random,
      logger,
    });
  const addresses = poolOf(addressRange, 'serviceips');
  const others = otherAddresses && poolOf(otherAddresses, 'secondaryserviceips');
  const ports = new SharedPool({
    storage,
    key: `${root}ranges/servicenodeports`,
    range: formatPortRange(portRange),
    size: portRange.last - portRange.first + 1,
    what: 'servicenodeportallocations',
    random,
    logger,
  });
  return {
    addresses,
    otherAddresses: others,
    ports,
    async repair(services) {
      const held = slotsHeldBy(services, options);
      const repairs = {
        addresses: await addresses.repair(held.addresses),
        ...(others === undefined ? {} : { otherAddresses: await others.repair(held.otherAddresses) }),
        ports: await ports.repair(held.ports),
      };
      if (Object.values(repairs).some(({ marked, freed }) => marked + freed > 0)) {
        logger.info('service allocations repaired', repairs);
      }
    },
  };
}
