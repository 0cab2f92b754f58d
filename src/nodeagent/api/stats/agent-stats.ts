import type { Pod } from '../../../apis/types/core-v1.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import type { AgentMetrics } from '../metrics/agent-metrics.ts';
import { fillGauges } from './agent-gauges.ts';
import { type CgroupPaths, cgroupPaths } from './cgroup-paths.ts';
import { CgroupReader } from './cgroup-usage.ts';
import { containerMetrics } from './container-metrics.ts';
import { CpuRates } from './cpu-rates.ts';
import { HostFiles } from './host-files.ts';
import { machineSpec } from './machine-spec.ts';
import { resourceMetrics } from './resource-metrics.ts';
import { type SummaryOptions, summarize } from './summary.ts';

/** Figures of the node and its pods; each is measured when it is asked for. */
export interface AgentStats {
  /** What `/stats/summary` shows (types: stats.v1alpha1.Summary). */
  summary(options: SummaryOptions): Promise<unknown>;
  /** What `/metrics/resource` shows. */
  resourceMetrics(): Promise<string>;
  /** What `/metrics/cadvisor` shows. */
  containerMetrics(): Promise<string>;
  /** Brings those of the agent's metrics up to date that are looked up only when they are shown. */
  fillGauges(metrics: AgentMetrics): Promise<void>;
  /** What `/spec/` shows of the machine. */
  machineSpec(): Promise<unknown>;
}

/** What figures are made from. */
export interface StatsSources
  extends Pick<
    AgentServersOptions,
    'config' | 'dialect' | 'nodeName' | 'view' | 'runtime' | 'images' | 'volumes' | 'clock'
  > {
  readonly files: HostFiles;
  readonly cgroups: CgroupReader;
  readonly paths: CgroupPaths;
  /** Rates of control groups: cheap to measure, so that a short wait gives the first one. */
  readonly groupRates: CpuRates;
  /** Rates of containers. */
  readonly containerRates: CpuRates;
  readonly podByUid: (uid: string) => Pod | undefined;
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
  return {
    summary: (what) => summarize(sources, what),
    resourceMetrics: () => resourceMetrics(sources),
    containerMetrics: () => containerMetrics(sources),
    fillGauges: (metrics) => fillGauges(sources, metrics),
    machineSpec: () => machineSpec(sources),
  };
}
