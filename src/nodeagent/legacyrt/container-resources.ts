import type { ContainerResources } from '../runtime/index.ts';

/** Bounds as the engine takes them, in making and in changing; those that are not named are left out. */
export function writeResources(resources: ContainerResources): Record<string, number | string> {
  const { cpuShares, cpuPeriodUs, cpuQuotaUs, memoryLimitBytes, cpusetCpus, cpusetMems } = resources;
  const written: Record<string, number | string | undefined> = {
    CpuShares: cpuShares,
    CpuPeriod: cpuPeriodUs,
    CpuQuota: cpuQuotaUs,
    Memory: memoryLimitBytes,
    // Equal bounds of memory, and of memory with swap: none of the latter.
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
