import type { Container } from '../../apis/types/core-v1.ts';
import type { ContainerResources } from '../runtime/index.ts';
import { readCpuMillis, readUnits } from './amounts.ts';
import { cpuQuotaUsOf, cpuSharesOf } from './cpu.ts';
import { readHugepages } from './hugepages.ts';
import type { CpuBounding } from './node-settings.ts';
import { type OomScoreOptions, oomScoreAdjustment } from './oom-score.ts';

/** What bounds of a container depend on beside its `resources`. */
export interface ContainerResourcesOptions extends OomScoreOptions {
  readonly cpuBounding: CpuBounding;
  /** Sizes of huge pages of the machine, such as `2MB`; all of them are bounded, by 0 if not asked for. */
  readonly hugepageSizes: readonly string[];
  /** Processors that the container may use, such as `0-2,4`; all when left out. */
  readonly cpusetCpus?: string | undefined;
}

/** Bounds of a container's control groups. */
export function containerResources(options: ContainerResourcesOptions): ContainerResources {
  const { container, cpusetCpus } = options;
  const { limits, requests } = container.resources;
  const limitMillis = readCpuMillis(limits);
  // The API server does the same for new pods; pods that it never saw get it here.
  const requestMillis = readCpuMillis(requests) || limitMillis;
  const memoryLimitBytes = readUnits(limits, 'memory');
  return {
    cpuShares: cpuSharesOf(requestMillis),
    ...boundCpu(limitMillis, options.cpuBounding),
    ...(memoryLimitBytes > 0 ? { memoryLimitBytes } : {}),
    ...(cpusetCpus === undefined ? {} : { cpusetCpus }),
    oomScoreAdj: oomScoreAdjustment(options),
    hugepageLimits: boundHugepages(limits, options.hugepageSizes),
  };
}

function boundCpu(limitMillis: number, { isEnforced, periodUs }: CpuBounding): ContainerResources {
  if (!isEnforced) return {};
  return { cpuQuotaUs: cpuQuotaUsOf(limitMillis, periodUs), cpuPeriodUs: periodUs };
}

function boundHugepages(
  limits: Container['resources']['limits'],
  sizes: readonly string[],
): ContainerResources['hugepageLimits'] {
  const asked = readHugepages(limits);
  return sizes.map((pageSize) => ({ pageSize, limitBytes: asked.get(pageSize) ?? 0 }));
}
