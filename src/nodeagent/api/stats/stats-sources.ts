import type { Pod } from '../../../apis/types/core-v1.ts';
import type { AgentServersOptions } from '../agent-servers.ts';
import type { CgroupPaths } from './cgroup-paths.ts';
import type { CgroupReader } from './cgroup-usage.ts';
import type { CpuRates } from './cpu-rates.ts';
import type { HostFiles } from './host-files.ts';

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
