import type { Dialect } from '../../machinery/dialect.ts';
import type { CgroupSettings } from './cgroup-names.ts';
import type { DnsSettings } from './pod-dns.ts';

/** Whether and over which time CPU limits are enforced. */
export interface CpuBounding {
  readonly isEnforced: boolean;
  readonly periodUs: number;
}

/** What the agent's options and the machine say; the same for all pods. */
export interface NodeSettings {
  readonly dialect: Dialect;
  /** Absolute folder that the agent keeps its state in. */
  readonly rootDirectory: string;
  /** Absolute folder of seccomp profiles. */
  readonly seccompProfileRoot: string;
  readonly clusterDomain: string;
  readonly dns: DnsSettings;
  readonly cgroups: CgroupSettings;
  readonly cpuBounding: CpuBounding;
  /** Of the machine; positive. */
  readonly memoryCapacityBytes: number;
  /** Such as `2MB`. */
  readonly hugepageSizes: readonly string[];
  readonly isSelinuxEnabled: boolean;
  /** Namespace that the Service of the API is in. */
  readonly masterServiceNamespace: string;
}
