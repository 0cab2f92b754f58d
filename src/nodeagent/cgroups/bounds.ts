import { podQosClass } from '../../apis/core/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import {
  burstableCpuShares,
  cpuSharesOf,
  minCpuShares,
  podMemoryRequest,
} from '../container-config/index.ts';
import type { AgentConfig, ReservedResources } from '../options/index.ts';
import type { GroupBounds } from './bound-files.ts';
import type { NodeCapacity } from './contract.ts';

/** Settings that decide how much of the node is kept from pods. */
export type NodeReservations = Pick<
  AgentConfig,
  'systemReservedResources' | 'orchReservedResources' | 'reservedCpuIds' | 'enforceNodeAllocatable'
>;

/** Bounds of the group of all pods: the capacity, less what is reserved where that is enforced. */
export function allPodsBounds(capacity: NodeCapacity, config: NodeReservations): GroupBounds {
  const { enforceNodeAllocatable, systemReservedResources: system, orchReservedResources: product } = config;
  const isEnforced = enforceNodeAllocatable.includes('pods');
  // Eviction thresholds are not taken off: pods may use that memory for as long as it takes to evict one.
  const less = (amount: number, key: 'memoryBytes' | 'pids'): number =>
    isEnforced ? Math.max(0, amount - system[key] - product[key]) : amount;
  const cpuMillis = isEnforced
    ? Math.max(0, capacity.cpuMillis - reservedCpuMillis(config))
    : capacity.cpuMillis;
  return {
    cpuShares: cpuSharesOf(cpuMillis),
    memoryLimitBytes: less(capacity.memoryBytes, 'memoryBytes'),
    ...(capacity.pids === undefined ? {} : { pidsLimit: less(capacity.pids, 'pids') }),
    ...(capacity.hugepages === undefined ? {} : { hugepageLimits: capacity.hugepages }),
  };
}

/** A list of reserved processors takes the place of both amounts. */
function reservedCpuMillis({
  systemReservedResources: system,
  orchReservedResources: product,
  reservedCpuIds,
}: NodeReservations): number {
  return reservedCpuIds.length > 0 ? reservedCpuIds.length * 1000 : system.cpuMillis + product.cpuMillis;
}

/** Bounds of a group that resources are reserved for; what is not reserved is not bounded. */
export function reservedBounds({ cpuMillis, memoryBytes, pids }: ReservedResources): GroupBounds {
  return {
    ...(cpuMillis > 0 ? { cpuShares: cpuSharesOf(cpuMillis) } : {}),
    ...(memoryBytes > 0 ? { memoryLimitBytes: memoryBytes } : {}),
    ...(pids > 0 ? { pidsLimit: pids } : {}),
  };
}

/** The pods whose requests add up to the bounds of the QoS classes; amounts in bytes, shares in percent. */
interface QosBoundsOptions {
  readonly activePods: readonly Pod[];
  /** Share of memory requests that worse classes cannot use; nothing is kept when undefined. */
  readonly reservedMemoryPercent: number | undefined;
  /** Memory of all pods. */
  readonly memoryBytes: number;
}

/** Bounds of the groups of the two classes below the best one. */
export function qosBounds({ activePods, reservedMemoryPercent, memoryBytes }: QosBoundsOptions): {
  readonly Burstable: GroupBounds;
  readonly BestEffort: GroupBounds;
} {
  const burstable: GroupBounds = { cpuShares: burstableCpuShares(activePods) };
  const bestEffort: GroupBounds = { cpuShares: minCpuShares };
  if (reservedMemoryPercent === undefined) return { Burstable: burstable, BestEffort: bestEffort };
  const kept = (desired: string): number => {
    const pods = activePods.filter(({ spec }) => podQosClass(spec) === desired);
    const requested = pods.reduce((sum, pod) => sum + podMemoryRequest(pod), 0);
    return Math.floor((requested * reservedMemoryPercent) / 100);
  };
  const forBurstable = Math.max(0, memoryBytes - kept('Guaranteed'));
  const forBestEffort = Math.max(0, forBurstable - kept('Burstable'));
  return {
    Burstable: { ...burstable, memoryLimitBytes: forBurstable },
    BestEffort: { ...bestEffort, memoryLimitBytes: forBestEffort },
  };
}
