/** What this driver reads of the engine's answers. Lists are null where Go leaves them empty. */
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

export interface MountPoint {
  readonly Source: string;
  readonly Destination: string;
  readonly Mode: string;
  readonly RW: boolean;
  readonly Propagation: string;
}

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

export interface ImageSummary {
  readonly Id: string;
  readonly RepoTags: readonly string[] | null;
  readonly RepoDigests: readonly string[] | null;
  readonly Size: number;
}

export interface ImageDetails extends ImageSummary {
  readonly Config?: { readonly User?: string } | null;
}

export interface EngineVersion {
  readonly Version: string;
  readonly ApiVersion: string;
}

export interface EngineInfo {
  readonly DockerRootDir: string;
  readonly CgroupDriver: string;
}

export interface ExecDetails {
  readonly Running: boolean;
  readonly ExitCode: number | null;
  /** Of the node; 0 when the command was never begun. */
  readonly Pid: number;
}

export interface UsageSample {
  readonly read: string;
  readonly cpu_stats?: { readonly cpu_usage?: { readonly total_usage?: number } };
  readonly memory_stats?: {
    readonly usage?: number;
    readonly stats?: Readonly<Record<string, number>>;
  };
}
