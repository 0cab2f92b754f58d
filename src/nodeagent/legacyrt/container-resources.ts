import type { ContainerResources } from '../runtime/index.ts';

/** Limits in the engine's form, for creating and updating containers; undefined ones are left out. */
export function writeResources(resources: ContainerResources): Record<string, number | string> {
  const { cpuShares, cpuPeriodUs, cpuQuotaUs, memoryLimitBytes, cpusetCpus, cpusetMems } = resources;
  const written: Record<string, number | string | undefined> = {
    CpuShares: cpuShares,
    CpuPeriod: cpuPeriodUs,
    CpuQuota: cpuQuotaUs,
    Memory: memoryLimitBytes,
    // Memory with swap has the same limit as memory alone: the container gets no swap.
    MemorySwap: memoryLimitBytes,
    CpusetCpus: cpusetCpus,
    CpusetMems: cpusetMems,
  };
  // 0 and empty stand for the engine's default, and in a change for none.
  const named = Object.entries(written).filter(
    ([, value]) => value !== undefined && value !== 0 && value !== '',
  );
  return Object.fromEntries(named) as Record<string, number | string>;
}
