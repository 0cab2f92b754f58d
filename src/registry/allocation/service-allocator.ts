import {
  type AddressRange,
  type AllocationPlan,
  addressesExhausted,
  addressProblem,
  addressRefused,
  healthCheckPortRefused,
  heldAddresses,
  heldPorts,
  nodePortRefused,
  nodePortsExhausted,
  nthAddress,
  offsetOf,
  type PortRange,
  planServiceCreate,
  planServiceDelete,
  planServiceUpdate,
  portProblem,
} from '../../apis/core/index.ts';
import type { Service } from '../../apis/types/core-v1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { Allocation, Allocator } from '../resource-store.ts';
import { Pool } from './pool.ts';

export interface ServiceAllocatorOptions {
  readonly addresses: AddressRange;
  readonly ports: PortRange;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * Gives services their cluster addresses and node ports. What is taken is what stored services hold: `adopt` them
 * at start, so that allocations survive restarts. What a write takes is held from then on, also while it is on its way.
 */
export class ServiceAllocator implements Allocator {
  readonly #options: ServiceAllocatorOptions;
  readonly #addresses: Pool;
  readonly #ports: Pool;

  constructor(options: ServiceAllocatorOptions) {
    this.#options = options;
    this.#addresses = new Pool(options.addresses.usableCount, options.random);
    this.#ports = new Pool(options.ports.last - options.ports.first + 1, options.random);
  }

  /** Marks what a stored service holds as taken. */
  adopt(object: ApiObject): void {
    const service = asService(object);
    for (const address of heldAddresses(service)) this.#addresses.take(this.#slotOf(address));
    for (const port of heldPorts(service)) this.#ports.take(this.#portSlot(port));
  }

  allocate(object: ApiObject, old: ApiObject | undefined): Allocation {
    const service = asService(object);
    const plan = old === undefined ? planServiceCreate(service) : planServiceUpdate(service, asService(old));
    const undo: (() => void)[] = [];
    const rollback = (): void => {
      for (const step of undo) step();
    };
    try {
      this.#takeAddress(service, plan, undo);
      this.#takePorts(service, plan, undo);
      this.#takeHealthPort(service, plan, undo);
    } catch (error) {
      rollback();
      throw error;
    }
    return { rollback, commit: () => this.#giveBack(plan) };
  }

  release(object: ApiObject): void {
    this.#giveBack(planServiceDelete(asService(object)));
  }

  #takeAddress(service: Service, plan: AllocationPlan, undo: (() => void)[]): void {
    const need = plan.clusterIp;
    if (need.kind === 'none') return;
    const { addresses: range } = this.#options;
    if (need.kind === 'given') {
      const { address } = need;
      const problem = addressProblem(range, address, (text) => this.#addresses.isTaken(this.#slotOf(text)));
      if (problem !== undefined) throw addressRefused(service, { address, problem, range });
      const slot = this.#slotOf(address);
      this.#addresses.take(slot);
      undo.push(() => this.#addresses.free(slot));
    } else {
      const slot = this.#addresses.takeAny();
      if (slot === undefined) throw addressesExhausted();
      undo.push(() => this.#addresses.free(slot));
      service.spec.clusterIP = nthAddress(range, slot + 1);
    }
    service.spec.clusterIPs = [service.spec.clusterIP ?? ''];
  }

  #takePorts(service: Service, plan: AllocationPlan, undo: (() => void)[]): void {
    const { ports: range } = this.#options;
    for (const { positions, requested } of plan.nodePorts) {
      const position = positions[0] ?? 0;
      const port = requested === undefined ? this.#anyPort(undo) : requested;
      if (requested !== undefined) {
        const problem = portProblem(range, port, (candidate) =>
          this.#ports.isTaken(this.#portSlot(candidate)),
        );
        if (problem !== undefined) throw nodePortRefused(service, { position, port, problem, range });
        this.#takePort(port, undo);
      }
      for (const at of positions) {
        const entry = service.spec.ports?.[at];
        if (entry !== undefined) entry.nodePort = port;
      }
    }
  }

  #takeHealthPort(service: Service, plan: AllocationPlan, undo: (() => void)[]): void {
    const need = plan.healthCheckNodePort;
    if (need.kind === 'none') return;
    if (need.kind === 'any') {
      service.spec.healthCheckNodePort = this.#anyPort(undo);
      return;
    }
    if (!('port' in need)) return;
    const { ports: range } = this.#options;
    const problem = portProblem(range, need.port, (port) => this.#ports.isTaken(this.#portSlot(port)));
    if (problem !== undefined) throw healthCheckPortRefused(need.port, problem, range);
    this.#takePort(need.port, undo);
  }

  #anyPort(undo: (() => void)[]): number {
    const slot = this.#ports.takeAny();
    if (slot === undefined) throw nodePortsExhausted();
    undo.push(() => this.#ports.free(slot));
    return this.#options.ports.first + slot;
  }

  #takePort(port: number, undo: (() => void)[]): void {
    const slot = this.#portSlot(port);
    this.#ports.take(slot);
    undo.push(() => this.#ports.free(slot));
  }

  #giveBack(plan: Pick<AllocationPlan, 'releasedAddresses' | 'releasedPorts'>): void {
    for (const address of plan.releasedAddresses) this.#addresses.free(this.#slotOf(address));
    for (const port of plan.releasedPorts) this.#ports.free(this.#portSlot(port));
  }

  /** Slots count from the first address that may be given out. An address outside maps to no slot that is used. */
  #slotOf(address: string): number {
    return (offsetOf(this.#options.addresses, address) ?? 0) - 1;
  }

  #portSlot(port: number): number {
    return port - this.#options.ports.first;
  }
}

function asService(object: ApiObject): Service {
  return object as unknown as Service; // the allocator is given to the store of services only
}
