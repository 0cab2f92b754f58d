import type { ContainerMetadata } from './container.ts';
import type { FilesystemUsage } from './image.ts';

/** What a running container uses. Parts are undefined when the runtime does not measure them. */
export interface ContainerStats {
  readonly id: string;
  readonly metadata: ContainerMetadata;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly cpu: CpuUsage | undefined;
  readonly memory: MemoryUsage | undefined;
  readonly writableLayer: FilesystemUsage | undefined;
}

/** CPU time used by a container, cumulative. */
export interface CpuUsage {
  /** When this was measured, since the Unix epoch. */
  readonly atMs: number;
  /** CPU time of all cores since the container's start. */
  readonly usageCoreNs: number;
}

/** Memory of a container that cannot be reclaimed under pressure (the working set), in bytes. */
export interface MemoryUsage {
  /** When this was measured, since the Unix epoch. */
  readonly atMs: number;
  readonly workingSetBytes: number;
}

/** Whose figures to list: all that agree with everything given. */
export interface ContainerStatsFilter {
  readonly id?: string | undefined;
  readonly podSandboxId?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
