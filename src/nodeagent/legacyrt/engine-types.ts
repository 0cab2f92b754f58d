/**
 * One container of `GET /containers/json`. In all answers, only fields that the driver reads are declared; empty lists
 * may be null.
 */
export interface ContainerSummary {
  readonly Id: string;
  readonly Names: readonly string[] | null;
  readonly Image: string;
  readonly ImageID: string;
  /** Whole seconds. */
  readonly Created: number;
  readonly State: string;
  readonly Labels: Readonly<Record<string, string>> | null;
}

/** `State` of an inspected container; times in RFC 3339, the year 1 where something has not happened. */
export interface ContainerStateDetails {
  readonly Status: string;
  readonly Running: boolean;
  readonly OOMKilled: boolean;
  readonly Pid: number;
  readonly ExitCode: number;
  readonly Error: string;
  readonly StartedAt: string;
  readonly FinishedAt: string;
}

/** One of `Mounts` of an inspected container. */
export interface MountPoint {
  readonly Source: string;
  readonly Destination: string;
  readonly Mode: string;
  readonly RW: boolean;
  readonly Propagation: string;
}

/** Answer to `GET /containers/ID/json`. */
export interface ContainerDetails {
  readonly Id: string;
  readonly Name: string;
  readonly Created: string;
  readonly State: ContainerStateDetails;
  /** Id of the image. */
  readonly Image: string;
  readonly LogPath: string;
  readonly ResolvConfPath: string;
  readonly Config: {
    readonly Image: string;
    readonly Labels: Readonly<Record<string, string>> | null;
    readonly Tty: boolean;
    readonly OpenStdin: boolean;
    readonly StdinOnce: boolean;
  };
  readonly HostConfig: {
    readonly NetworkMode: string;
    readonly PidMode: string;
    readonly IpcMode: string;
  };
  readonly Mounts: readonly MountPoint[] | null;
  readonly NetworkSettings?: {
    readonly IPAddress?: string;
    readonly GlobalIPv6Address?: string;
    readonly Networks?: Readonly<
      Record<string, { readonly IPAddress?: string; readonly GlobalIPv6Address?: string } | null>
    > | null;
  };
  /** Only where asked for. */
  readonly SizeRw?: number;
}

/** One image of `GET /images/json`; the size is in bytes. */
export interface ImageSummary {
  readonly Id: string;
  readonly RepoTags: readonly string[] | null;
  readonly RepoDigests: readonly string[] | null;
  readonly Size: number;
}

/** Answer to `GET /images/NAME/json`. */
export interface ImageDetails extends ImageSummary {
  readonly Config?: { readonly User?: string } | null;
}

/** Answer to `GET /version`. */
export interface EngineVersion {
  readonly Version: string;
  readonly ApiVersion: string;
}

/** Answer to `GET /info`. */
export interface EngineInfo {
  readonly DockerRootDir: string;
  readonly CgroupDriver: string;
}

/** Answer to `GET /exec/ID/json`. */
export interface ExecDetails {
  readonly Running: boolean;
  readonly ExitCode: number | null;
  /** PID on the node; 0 when the command was never started. */
  readonly Pid: number;
}

/** Answer to `GET /containers/ID/stats`: CPU time in nanoseconds, memory in bytes. */
export interface UsageSample {
  readonly read: string;
  readonly cpu_stats?: { readonly cpu_usage?: { readonly total_usage?: number } };
  readonly memory_stats?: {
    readonly usage?: number;
    readonly stats?: Readonly<Record<string, number>>;
  };
}
