import { podQosClass } from '../../apis/core/index.ts';
import type { Container, Pod } from '../../apis/types/core-v1.ts';
import { readCpuMillis, readUnits } from './amounts.ts';
import { cpuQuotaUsOf, cpuSharesOf, minCpuShares } from './cpu.ts';
import { readHugepages } from './hugepages.ts';
import type { CpuBounding } from './node-settings.ts';

/** Bounds of a pod's own control group, or of that of a QoS class; what is left out is not bounded. */
export interface CgroupBounds {
  readonly cpuShares: number;
  /** Negative for no bound. */
  readonly cpuQuotaUs?: number;
  readonly cpuPeriodUs?: number;
  readonly memoryLimitBytes?: number;
  readonly pidsLimit?: number;
  /** By size of page, such as `2MB`. */
  readonly hugepageLimits?: ReadonlyMap<string, number>;
}

/** Settings of the node that the bounds of a pod's control group depend on. */
export interface PodCgroupOptions {
  readonly cpuBounding: CpuBounding;
  /** Processes that a pod may have; not bounded when not positive. */
  readonly podPidsLimit: number;
}

type List = 'limits' | 'requests';
type Read = (amounts: Readonly<Record<string, string>> | undefined) => number;

const readMemory: Read = (amounts) => readUnits(amounts, 'memory');

/** Bounds of a pod's control group: limits hold for the pod where all its containers have them. */
export function podCgroupBounds(
  { spec }: Pod,
  { cpuBounding, podPidsLimit }: PodCgroupOptions,
): CgroupBounds {
  const qosClass = podQosClass(spec);
  const isGuaranteed = qosClass === 'Guaranteed';
  const every = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const areLimited = (read: Read): boolean =>
    isGuaranteed || (qosClass === 'Burstable' && every.every(({ resources }) => read(resources.limits) > 0));
  const quotaUs = cpuQuotaUsOf(sumUp(spec, 'limits', readCpuMillis), cpuBounding.periodUs);
  return {
    cpuShares: qosClass === 'BestEffort' ? minCpuShares : cpuSharesOf(sumUp(spec, 'requests', readCpuMillis)),
    ...(areLimited(readCpuMillis)
      ? { cpuQuotaUs: cpuBounding.isEnforced ? quotaUs : -1, cpuPeriodUs: cpuBounding.periodUs }
      : {}),
    ...(areLimited(readMemory) ? { memoryLimitBytes: sumUp(spec, 'limits', readMemory) } : {}),
    ...(podPidsLimit > 0 ? { pidsLimit: podPidsLimit } : {}),
    hugepageLimits: sumHugepages(spec),
  };
}

/** Weight of the control group of all Burstable pods: what those that still run have asked for. */
export function burstableCpuShares(pods: readonly Pod[]): number {
  const burstable = pods.filter(({ spec }) => podQosClass(spec) === 'Burstable');
  return cpuSharesOf(burstable.reduce((sum, { spec }) => sum + sumUp(spec, 'requests', readCpuMillis), 0));
}

/** Bytes of memory that a pod asks for. */
export function podMemoryRequest({ spec }: Pick<Pod, 'spec'>): number {
  return sumUp(spec, 'requests', readMemory);
}

/** Containers run together, init containers alone; the overhead comes on top, of limits only where there are any. */
function sumUp({ containers, initContainers, overhead }: Pod['spec'], list: List, read: Read): number {
  const readAll = (all: readonly Container[] | null | undefined): number[] =>
    (all ?? []).map(({ resources }) => read(resources[list]));
  const together = readAll(containers).reduce((sum, amount) => sum + amount, 0);
  const sum = Math.max(together, ...readAll(initContainers));
  return list === 'limits' && sum === 0 ? 0 : sum + read(overhead);
}

function sumHugepages({ containers, initContainers }: Pod['spec']): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { resources } of containers ?? []) {
    for (const [size, bytes] of readHugepages(resources.requests))
      sums.set(size, (sums.get(size) ?? 0) + bytes);
  }
  for (const { resources } of initContainers ?? []) {
    for (const [size, bytes] of readHugepages(resources.requests)) {
      sums.set(size, Math.max(sums.get(size) ?? 0, bytes));
    }
  }
  return sums;
}
