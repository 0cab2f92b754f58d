import type { Pod } from '../../../apis/types/core-v1.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import { fillGauges } from './agent-gauges.ts';
import { cgroupPaths } from './cgroup-paths.ts';
import { CgroupReader } from './cgroup-usage.ts';
import { containerMetrics } from './container-metrics.ts';
import { CpuRates } from './cpu-rates.ts';
import { HostFiles } from './host-files.ts';
import { KeptValue } from './kept-value.ts';
import { machineSpec } from './machine-spec.ts';
import { RawContainers } from './raw-containers.ts';
import { resourceMetrics } from './resource-metrics.ts';
import type { StatsSources } from './stats-sources.ts';
import { type SummaryOptions, summarize } from './summary.ts';

/**
 * Figures of the node and its pods. They are measured when they are asked for and kept for `--housekeeping-interval`,
 * so that frequent requests cost no more than one in that time.
 */
export interface AgentStats {
  /** What `/stats/summary` shows (types: stats.v1alpha1.Summary); processors and memory alone are measured anew. */
  summary(options: SummaryOptions): Promise<unknown>;
  /** What `/metrics/resource` shows. */
  resourceMetrics(): Promise<string>;
  /** What `/metrics/cadvisor` shows. */
  containerMetrics(): Promise<string>;
  /** Brings those of the agent's metrics up to date that are looked up only when they are shown. */
  fillGauges(): Promise<void>;
  /** What `/spec/` shows of the machine. */
  machineSpec(): Promise<unknown>;
  /** What `/stats/` shows of control groups, however they are called. */
  readonly raw: Pick<RawContainers, 'describe' | 'describeTree'>;
  /** Group of a pod's container; undefined when pods get no groups of their own. */
  containerPath(pod: Pod, containerId: string): string | undefined;
}

const minGroupRateMs = 50;
const minContainerRateMs = 5000;

/** Opens the figures of one agent; nothing is read before the first question. */
export function createAgentStats(options: AgentServersOptions): AgentStats {
  const files = new HostFiles(options.hostRoot);
  const sources: StatsSources = {
    ...options,
    files,
    cgroups: new CgroupReader(files, () => options.clock.nowMs()),
    paths: cgroupPaths(options.config, options.dialect),
    groupRates: new CpuRates(minGroupRateMs),
    containerRates: new CpuRates(minContainerRateMs),
    podByUid: (uid) => options.view.pods().find(({ metadata }) => metadata.uid === uid),
  };
  const keep = <T>(measure: () => Promise<T>): KeptValue<T> =>
    new KeptValue({ maxAgeMs: options.config.housekeepingIntervalMs, clock: options.clock, measure });
  const summary = keep(() => summarize(sources, { onlyCpuAndMemory: false }));
  const ofResources = keep(() => resourceMetrics(sources));
  const ofContainers = keep(() => containerMetrics(sources));
  const gauges = keep(() => fillGauges(sources, options.metrics));
  return {
    summary: (what) => (what.onlyCpuAndMemory ? summarize(sources, what) : summary.get()),
    resourceMetrics: () => ofResources.get(),
    containerMetrics: () => ofContainers.get(),
    fillGauges: () => gauges.get(),
    machineSpec: () => machineSpec(sources),
    raw: new RawContainers(sources),
    containerPath(pod, containerId) {
      const path = sources.paths.pod(pod);
      return path === undefined ? undefined : sources.paths.container(path, containerId);
    },
  };
}
