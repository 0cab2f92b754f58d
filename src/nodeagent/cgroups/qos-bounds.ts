import { podQosClass } from '../../apis/core/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { burstableCpuShares, minCpuShares, podMemoryRequest } from '../container-config/index.ts';
import type { GroupBounds } from './bound-files.ts';

/** The pods whose requests add up to the bounds of the QoS classes; amounts in bytes, shares in percent. */
export interface QosBoundsOptions {
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
