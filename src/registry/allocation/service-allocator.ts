import {
  type AddressRange,
  type AllocationOptions,
  type AllocationPlan,
  type AllocationProblem,
  addressesExhausted,
  addressProblem,
  addressRefused,
  contains,
  type FamilyNeed,
  healthCheckPortRefused,
  heldAddresses,
  heldPorts,
  type IpFamily,
  neededFamilies,
  nodePortRefused,
  nodePortsExhausted,
  nthAddress,
  planServiceCreate,
  planServiceDelete,
  planServiceUpdate,
  portProblem,
  settleFamilies,
} from '../../apis/core/index.ts';
import type { Service } from '../../apis/types/core-v1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { Allocation, Allocator } from '../resource-store.ts';
import type { NumberPool } from './number-pool.ts';
import { Pool } from './pool.ts';
import { PortGuesses } from './port-guesses.ts';
import { addressSlot, portSlot, type ServiceRanges } from './service-slots.ts';

/** Where the addresses and ports that are given out are remembered. */
export interface ServicePools {
  readonly addresses: NumberPool;
  /** Of the other family, where there is a range of it. */
  readonly otherAddresses?: NumberPool | undefined;
  readonly ports: NumberPool;
}

/** The ranges that are given out (see `ServiceRanges`), and where allocations are kept. */
export interface ServiceAllocatorOptions extends ServiceRanges, AllocationOptions {
  /** Whether services have families and a policy for them; they do not when left out. */
  readonly isDualStack?: boolean | undefined;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Pools that other processes use too; this process's own, empty ones when left out. */
  readonly pools?: ServicePools | undefined;
}

/**
 * Allocates cluster addresses and node ports of services. Stored services hold their allocations: `adopt` them at the
 * start where pools belong to this process, so that allocations survive restarts. What a write allocates is held from
 * then on, also before it is stored.
 */
export class ServiceAllocator implements Allocator {
  readonly #options: ServiceAllocatorOptions;
  readonly #pools: ServicePools;

  constructor(options: ServiceAllocatorOptions) {
    this.#options = options;
    const { addresses, otherAddresses, ports, random } = options;
    this.#pools = options.pools ?? {
      addresses: new Pool(addresses.usableCount, random),
      otherAddresses: otherAddresses && new Pool(otherAddresses.usableCount, random),
      ports: new Pool(ports.last - ports.first + 1, random),
    };
  }

  /** Marks what a stored service holds as taken. For pools that answer at once. */
  adopt(object: ApiObject): void {
    const service = asService(object);
    const { ports } = this.#options;
    for (const address of heldAddresses(service)) {
      const { range, pool } =
        familyPools(this.#options, this.#pools).find((one) => contains(one.range, address)) ?? {};
      if (range !== undefined) void pool?.take(addressSlot(range, address));
    }
    for (const port of heldPorts(service)) void this.#pools.ports.take(portSlot(ports, port));
  }

  async allocate(
    object: ApiObject,
    old: ApiObject | undefined,
    { isDryRun }: { readonly isDryRun: boolean },
  ): Promise<Allocation> {
    const service = asService(object);
    const { isDualStack = false } = this.#options;
    const oldService = old && asService(old);
    if (isDualStack)
      settleFamilies(
        service,
        familyPools(this.#options, this.#pools).map(({ family }) => family),
      );
    const plan =
      oldService === undefined
        ? planServiceCreate(service, this.#options)
        : planServiceUpdate(service, oldService, this.#options);
    const ports = isDryRun ? await guessesFor(this.#pools.ports, this.#options) : this.#pools.ports;
    const draft = new Draft(this.#options, { ...this.#pools, ports }, isDryRun);
    try {
      if (!isDryRun && isDualStack) await draft.takeFamilies(service, neededFamilies(service, oldService));
      else if (!isDryRun) await draft.takeAddress(service, plan);
      await draft.takePorts(service, plan);
      await draft.takeHealthPort(service, plan);
    } catch (error) {
      await draft.giveBack();
      throw error;
    }
    return { rollback: () => draft.giveBack(), commit: () => this.#giveBack(plan) };
  }

  release(object: ApiObject): Promise<void> {
    return this.#giveBack(planServiceDelete(asService(object)));
  }

  async #giveBack({
    releasedAddresses,
    releasedPorts,
  }: Pick<AllocationPlan, 'releasedAddresses' | 'releasedPorts'>): Promise<void> {
    const { ports } = this.#options;
    for (const { range, pool } of familyPools(this.#options, this.#pools)) {
      const slots = releasedAddresses
        .filter((address) => contains(range, address))
        .map((address) => addressSlot(range, address));
      if (slots.length > 0) await pool.free(slots);
    }
    if (releasedPorts.length > 0) {
      await this.#pools.ports.free(releasedPorts.map((port) => portSlot(ports, port)));
    }
  }
}

/** What one write has taken so far. */
class Draft {
  readonly #ranges: ServiceRanges;
  readonly #pools: ServicePools;
  /** Ports outside of the range are taken too. */
  readonly #takesAnyPort: boolean;
  readonly #addresses: { readonly pool: NumberPool; readonly slot: number }[] = [];
  readonly #ports: number[] = [];

  constructor(ranges: ServiceRanges, pools: ServicePools, takesAnyPort: boolean) {
    this.#ranges = ranges;
    this.#pools = pools;
    this.#takesAnyPort = takesAnyPort;
  }

  /** Of services without families. */
  async takeAddress(service: Service, { clusterIp: need }: AllocationPlan): Promise<void> {
    if (need.kind === 'none') return;
    const [primary] = familyPools(this.#ranges, this.#pools);
    if (primary === undefined) return;
    const address = await this.#takeFrom(primary, service, need.kind === 'given' ? need.address : '');
    service.spec.clusterIP = address;
    service.spec.clusterIPs = [address];
  }

  /** An address of each family, which the cluster is known to have. */
  async takeFamilies(service: Service, needs: readonly FamilyNeed[]): Promise<void> {
    const pools = familyPools(this.#ranges, this.#pools);
    for (const { family, position, address } of needs) {
      const own = pools.find((one) => one.family === family);
      if (own === undefined) continue;
      const taken = await this.#takeFrom(own, service, address);
      service.spec.clusterIPs = [...(service.spec.clusterIPs ?? [])];
      service.spec.clusterIPs[position] = taken;
      if (position === 0) service.spec.clusterIP = taken;
    }
  }

  /** The address that is named, or any free one where it is empty. */
  async #takeFrom({ range, pool }: FamilyPool, service: Service, address: string): Promise<string> {
    if (address === '') {
      const slot = await pool.takeAny();
      if (slot === undefined) throw addressesExhausted();
      this.#addresses.push({ pool, slot });
      return nthAddress(range, slot + 1);
    }
    const slot = addressSlot(range, address);
    const isInside = addressProblem(range, address, free) === undefined;
    if (!isInside || !(await pool.take(slot))) {
      const problem = addressProblem(range, address, taken) ?? 'taken';
      throw addressRefused(service, { address, problem, range });
    }
    this.#addresses.push({ pool, slot });
    return address;
  }

  async takePorts(service: Service, plan: AllocationPlan): Promise<void> {
    const { ports: range } = this.#ranges;
    for (const { positions, requested } of plan.nodePorts) {
      const position = positions[0] ?? 0;
      const port = requested ?? (await this.#anyPort());
      if (requested !== undefined && !(await this.#takePort(port))) {
        throw nodePortRefused(service, { position, port, problem: this.#portProblem(port), range });
      }
      for (const at of positions) {
        const entry = service.spec.ports?.[at];
        if (entry !== undefined) entry.nodePort = port;
      }
    }
  }

  async takeHealthPort(service: Service, { healthCheckNodePort: need }: AllocationPlan): Promise<void> {
    if (need.kind === 'none') return;
    if (need.kind === 'any') {
      service.spec.healthCheckNodePort = await this.#anyPort();
      return;
    }
    if (!('port' in need)) return;
    const { ports: range } = this.#ranges;
    if (await this.#takePort(need.port)) return;
    throw healthCheckPortRefused(need.port, this.#portProblem(need.port), range);
  }

  /** Gives back all that was taken. */
  async giveBack(): Promise<void> {
    for (const { pool, slot } of this.#addresses) await pool.free([slot]);
    if (this.#ports.length > 0) await this.#pools.ports.free(this.#ports);
  }

  async #anyPort(): Promise<number> {
    const slot = await this.#pools.ports.takeAny();
    if (slot === undefined) throw nodePortsExhausted();
    this.#ports.push(slot);
    return this.#ranges.ports.first + slot;
  }

  /** Why a named port was not to be had. */
  #portProblem(port: number): AllocationProblem {
    if (this.#takesAnyPort) return 'taken';
    return portProblem(this.#ranges.ports, port, taken) ?? 'taken';
  }

  /** False when the port is outside of the range or taken. */
  async #takePort(port: number): Promise<boolean> {
    const { ports: range } = this.#ranges;
    if (!this.#takesAnyPort && portProblem(range, port, free) !== undefined) return false;
    const slot = portSlot(range, port);
    if (!(await this.#pools.ports.take(slot))) return false;
    this.#ports.push(slot);
    return true;
  }
}

/** Where the addresses of one family come from. */
interface FamilyPool {
  readonly family: IpFamily;
  readonly range: AddressRange;
  readonly pool: NumberPool;
}

/** The families of the cluster, the usual one first. */
function familyPools(ranges: ServiceRanges, pools: ServicePools): FamilyPool[] {
  const familyOfRange = ({ family }: AddressRange): IpFamily => (family === 4 ? 'IPv4' : 'IPv6');
  const { addresses, otherAddresses } = ranges;
  const first = { family: familyOfRange(addresses), range: addresses, pool: pools.addresses };
  return otherAddresses === undefined || pools.otherAddresses === undefined
    ? [first]
    : [first, { family: familyOfRange(otherAddresses), range: otherAddresses, pool: pools.otherAddresses }];
}

/** What a dry run takes its node ports from. */
async function guessesFor(ports: NumberPool, { ports: range }: ServiceRanges): Promise<NumberPool> {
  return new PortGuesses(await ports.trial(), range.first);
}

const taken = (): boolean => true;
const free = (): boolean => false;

function asService(object: ApiObject): Service {
  return object as unknown as Service; // the allocator is given to the store of services only
}
