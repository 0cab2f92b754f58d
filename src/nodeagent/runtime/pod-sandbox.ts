import type { NamespaceOptions, SandboxSecurityContext } from './security.ts';

/** What makes a sandbox unique: a pod, and how often its sandbox was made before. */
export interface PodSandboxMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Counts from 0; another attempt makes another sandbox of the same pod possible. */
  readonly attempt: number;
}

/** Lines of the pod's `/etc/resolv.conf`. The node's file is used when all three are empty. */
export interface DnsConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** Transport protocols of a `containerPort` (API reference, `ContainerPort`). */
export type PortProtocol = 'TCP' | 'UDP' | 'SCTP';

/** A port of the node that leads to one of the pod. */
export interface PortMapping {
  readonly protocol: PortProtocol;
  readonly containerPort: number;
  /** 0 maps nothing. */
  readonly hostPort: number;
  /** All addresses of the node when left out. */
  readonly hostIp?: string | undefined;
}

/** All that a sandbox is made from. */
export interface PodSandboxConfig {
  readonly metadata: PodSandboxMetadata;
  /** Left out when the pod uses the node's network. */
  readonly hostname?: string | undefined;
  /** Absolute folder of the node that the containers' log files lie in; the caller makes it. */
  readonly logDirectory?: string | undefined;
  readonly dns?: DnsConfig | undefined;
  readonly portMappings?: readonly PortMapping[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Control group that those of the pod are made in, in the notation of the runtime's cgroup driver. */
  readonly cgroupParent?: string | undefined;
  readonly sysctls?: Readonly<Record<string, string>> | undefined;
  readonly security?: SandboxSecurityContext | undefined;
}

/** `ready`: its processes and its network are there. */
export type PodSandboxState = 'ready' | 'not-ready';

/** A sandbox as a list shows it. */
export interface PodSandbox {
  readonly id: string;
  readonly metadata: PodSandboxMetadata;
  readonly state: PodSandboxState;
  /** Since the Unix epoch. */
  readonly createdAtMs: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Empty for the runtime's default handler. */
  readonly runtimeHandler: string;
}

/** A sandbox with all that the runtime tells of it. */
export interface PodSandboxStatus extends PodSandbox {
  /** Addresses, the first one first; empty on the node's network. */
  readonly ips: readonly string[];
  readonly namespaces: NamespaceOptions;
}

/** Which sandboxes to list: all that agree with everything given. */
export interface PodSandboxFilter {
  readonly id?: string | undefined;
  readonly state?: PodSandboxState | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
