import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { PodCgroupsOptions } from '../../../../src/nodeagent/cgroups/index.ts';
import { RecordedEvents } from '../images/fake-images.ts';

const nothing = { cpuMillis: 0, memoryBytes: 0, ephemeralStorageBytes: 0, pids: 0 };

/** The options' defaults, below a group of the test's own. */
export const cgroupConfig: PodCgroupsOptions['config'] = {
  cgroupDriver: 'cgroupfs',
  cgroupRoot: '',
  cgroupsPerQos: true,
  cpuCfsQuota: true,
  cpuCfsQuotaPeriodMs: 100,
  enforceNodeAllocatable: ['pods'],
  orchReservedCgroup: '',
  orchReservedResources: nothing,
  podMaxPids: -1,
  qosReservedMemoryPercent: undefined,
  reservedCpuIds: [],
  systemReservedCgroup: '',
  systemReservedResources: nothing,
};

/** Options with the given ones of the agent. */
export const cgroupOptions = (
  root: string,
  config: Partial<PodCgroupsOptions['config']> = {},
): PodCgroupsOptions & { readonly events: RecordedEvents } => ({
  root,
  config: { ...cgroupConfig, ...config },
  dialect: orchDialect,
  events: new RecordedEvents(),
  clock: systemClock,
  logger: silentLogger,
});

/** Amounts that are reserved. */
export const reserved = (amounts: Partial<typeof nothing>): typeof nothing => ({ ...nothing, ...amounts });
