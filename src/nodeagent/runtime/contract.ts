import type {
  Container,
  ContainerConfig,
  ContainerFilter,
  ContainerResources,
  ContainerStatus,
} from './container.ts';
import type { FilesystemUsage, Image, PullImageOptions } from './image.ts';
import type { PodSandbox, PodSandboxConfig, PodSandboxFilter, PodSandboxStatus } from './pod-sandbox.ts';
import type { ContainerStats, ContainerStatsFilter } from './stats.ts';
import type {
  AttachStreamOptions,
  ExecStreamOptions,
  ExecSyncOptions,
  ExecSyncResult,
  PortForwardOptions,
} from './streaming.ts';

/** Who the runtime is. */
export interface RuntimeVersion {
  /** Such as `containerd`. */
  readonly name: string;
  readonly version: string;
  /** Version of the interface that the driver speaks with it. */
  readonly apiVersion: string;
}

/** One thing that must hold before pods can run. */
export interface RuntimeCondition {
  /** `RuntimeReady`, `NetworkReady`, or a further one of the runtime. */
  readonly type: string;
  readonly isTrue: boolean;
  /** One word; empty when the condition holds. */
  readonly reason: string;
  readonly message: string;
}

/** Readiness of the runtime as a whole, with the conditions that it follows from. */
export interface RuntimeStatus {
  readonly conditions: readonly RuntimeCondition[];
  /** Whether containers can be run at all. */
  readonly isRuntimeReady: boolean;
  /** Whether pods with a network of their own can be run. */
  readonly isNetworkReady: boolean;
}

/** The sandbox to create and start. */
export interface RunPodSandboxOptions {
  readonly config: PodSandboxConfig;
  /** The runtime's default handler when left out. */
  readonly runtimeHandler?: string | undefined;
}

/** The container to create, and the sandbox that it belongs to. */
export interface CreateContainerOptions {
  readonly podSandboxId: string;
  readonly config: ContainerConfig;
  /** The config that the sandbox was made from. */
  readonly sandboxConfig: PodSandboxConfig;
}

/** How long a container may take to stop. */
export interface StopContainerOptions {
  /** From SIGTERM to SIGKILL; whole seconds, rounded up; 0 kills at once. */
  readonly timeoutMs: number;
}

/**
 * What the agent asks of a container runtime: pods and their containers. Every call rejects with a RuntimeError and
 * nothing else, ends within the driver's request timeout unless it says otherwise, and may run beside any other.
 * Identifiers are the runtime's own.
 */
export interface RuntimeService {
  version(): Promise<RuntimeVersion>;
  status(): Promise<RuntimeStatus>;
  /** Tells the runtime the range of pod addresses of this node. */
  setPodCidr(podCidr: string): Promise<void>;

  /**
   * Makes and starts a sandbox with its network; resolves with its id. May take twice the request timeout.
   *
   * @throws RuntimeError `already-exists` for a sandbox of equal metadata.
   */
  runPodSandbox(options: RunPodSandboxOptions): Promise<string>;
  /** Ends all processes of the sandbox and takes its network down. Does nothing when that is done or it is gone. */
  stopPodSandbox(podSandboxId: string): Promise<void>;
  /** Removes the sandbox and its containers, running ones too. Does nothing when it is gone. */
  removePodSandbox(podSandboxId: string): Promise<void>;
  /** Undefined when there is no such sandbox. */
  podSandboxStatus(podSandboxId: string): Promise<PodSandboxStatus | undefined>;
  listPodSandboxes(filter?: PodSandboxFilter): Promise<readonly PodSandbox[]>;

  /**
   * Makes a container in a sandbox; resolves with its id.
   *
   * @throws RuntimeError `already-exists` for a container of equal metadata in the sandbox.
   */
  createContainer(options: CreateContainerOptions): Promise<string>;
  /** Starts a container that was created; works once. */
  startContainer(containerId: string): Promise<void>;
  /** Resolves when the container has ended, now or before, or is gone. May take `timeoutMs` longer than other calls. */
  stopContainer(containerId: string, options: StopContainerOptions): Promise<void>;
  /** Removes a container, a running one too; its log file stays. Does nothing when it is gone. */
  removeContainer(containerId: string): Promise<void>;
  /** Undefined when there is no such container. */
  containerStatus(containerId: string): Promise<ContainerStatus | undefined>;
  listContainers(filter?: ContainerFilter): Promise<readonly Container[]>;
  /** Changes the given bounds of a running container, and no others. */
  updateContainerResources(containerId: string, resources: ContainerResources): Promise<void>;
  /** Lets the runtime open the log file anew, after it was renamed. */
  reopenContainerLog(containerId: string): Promise<void>;

  /**
   * Runs a command and waits for its end.
   *
   * @throws RuntimeError `timeout` when it does not end in time.
   */
  execSync(options: ExecSyncOptions): Promise<ExecSyncResult>;
  /** URL of the streaming server that runs the command once a client connects; good for a minute at most. */
  execUrl(options: ExecStreamOptions): Promise<string>;
  /** URL as of `execUrl`. */
  attachUrl(options: AttachStreamOptions): Promise<string>;
  /** URL as of `execUrl`. */
  portForwardUrl(options: PortForwardOptions): Promise<string>;

  /** Undefined when there is no such container, or it does not run. */
  containerStats(containerId: string): Promise<ContainerStats | undefined>;
  listContainerStats(filter?: ContainerStatsFilter): Promise<readonly ContainerStats[]>;
}

/** What the agent asks of a container runtime: images. Errors and concurrency as in RuntimeService. */
export interface ImageService {
  listImages(): Promise<readonly Image[]>;
  /** Looks an image up by id, digest or name; undefined when it is not present. */
  imageStatus(image: string): Promise<Image | undefined>;
  /** Fetches an image and resolves with its id. Has no time limit: the runtime ends a pull that makes no progress. */
  pullImage(options: PullImageOptions): Promise<string>;
  /** Removes an image with all its names. Does nothing when it is gone. */
  removeImage(image: string): Promise<void>;
  /** File systems that images are kept on. */
  imageFsInfo(): Promise<readonly FilesystemUsage[]>;
}

/**
 * A driver of one runtime. It may be made before the runtime is there, and outlives the runtime's restarts: calls fail
 * with `unavailable` until it is back. Closing it ends the calls that are under way with `closed`.
 */
export interface ContainerRuntime extends AsyncDisposable {
  readonly runtime: RuntimeService;
  readonly images: ImageService;
}
