import type { ContainerSecurityContext } from './security.ts';

/** What makes a container unique in its sandbox. */
export interface ContainerMetadata {
  readonly name: string;
  /** Counts from 0: how often it was made before. */
  readonly attempt: number;
}

/** How mounts that are made later, on the node or in the container, become visible on the other side. */
export type MountPropagation = 'private' | 'host-to-container' | 'bidirectional';

/** A path of the node that the container sees. */
export interface Mount {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly isReadOnly: boolean;
  readonly relabelsSelinux: boolean;
  readonly propagation: MountPropagation;
}

/** A device of the node that the container may use. */
export interface Device {
  readonly containerPath: string;
  readonly hostPath: string;
  /** Letters of `rwm`: read, write, make nodes. */
  readonly permissions: string;
}

/** Bounds of a container's control groups; what is left out or 0 stays the runtime's default. */
export interface ContainerResources {
  readonly cpuPeriodUs?: number | undefined;
  /** CPU time per period; negative for no bound. */
  readonly cpuQuotaUs?: number | undefined;
  /** Relative weight, 2 to 262144. */
  readonly cpuShares?: number | undefined;
  readonly memoryLimitBytes?: number | undefined;
  /** -1000 to 1000. */
  readonly oomScoreAdj?: number | undefined;
  /** CPUs such as `0-2,4`. */
  readonly cpusetCpus?: string | undefined;
  /** Memory nodes such as `0,1`. */
  readonly cpusetMems?: string | undefined;
  readonly hugepageLimits?: readonly HugepageLimit[] | undefined;
}

/** Limit of huge pages of one size, in bytes. */
export interface HugepageLimit {
  /** Such as `2MB`. */
  readonly pageSize: string;
  readonly limitBytes: number;
}

/** One variable of a container's environment, with references expanded. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

/** All that a container is made from. */
export interface ContainerConfig {
  readonly metadata: ContainerMetadata;
  /** An image that is present: its id, digest or name. */
  readonly image: string;
  /** Replaces the image's entry point. */
  readonly command?: readonly string[] | undefined;
  /** Replaces the image's arguments. */
  readonly args?: readonly string[] | undefined;
  readonly workingDirectory?: string | undefined;
  readonly environment?: readonly EnvironmentVariable[] | undefined;
  readonly mounts?: readonly Mount[] | undefined;
  readonly devices?: readonly Device[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Below the sandbox's log directory; nothing is logged when left out. */
  readonly logPath?: string | undefined;
  readonly stdin?: boolean | undefined;
  /** Whether the input ends with the first client that attached. */
  readonly stdinOnce?: boolean | undefined;
  readonly tty?: boolean | undefined;
  readonly resources?: ContainerResources | undefined;
  readonly security?: ContainerSecurityContext | undefined;
}

/** `unknown`: the runtime cannot tell, for example after it has lost the container's process. */
export type ContainerState = 'created' | 'running' | 'exited' | 'unknown';

/** A container as a list shows it. */
export interface Container {
  readonly id: string;
  readonly podSandboxId: string;
  readonly metadata: ContainerMetadata;
  /** As the container was made with. */
  readonly image: string;
  /** The image's id or digest. */
  readonly imageRef: string;
  readonly state: ContainerState;
  /** Since the Unix epoch. */
  readonly createdAtMs: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A container with all that the runtime tells of it. */
export interface ContainerStatus extends Omit<Container, 'podSandboxId'> {
  /** Undefined before it was started. */
  readonly startedAtMs: number | undefined;
  /** Undefined before it has ended. */
  readonly finishedAtMs: number | undefined;
  /** 128 + N after signal N; 0 before it has ended. */
  readonly exitCode: number;
  /** One word, such as `Completed`, `Error` or `OOMKilled`. */
  readonly reason: string;
  readonly message: string;
  readonly mounts: readonly Mount[];
  /** Absolute path of the log file; empty when nothing is logged. */
  readonly logPath: string;
}

/** Which containers to list: all that agree with everything given. */
export interface ContainerFilter {
  readonly id?: string | undefined;
  readonly podSandboxId?: string | undefined;
  readonly state?: ContainerState | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
