/**
 * Messages and methods of the container runtime interface, as `protocol.json` defines them: equal in versions `v1` and
 * `v1alpha2`. A table, which is why it is long; what the fields mean is said in the runtime contract.
 */

/** A 64-bit number as the decoder gives it. */
export type Int64 = number | { toNumber(): number };

/** The version of the interface that the client speaks. */
export interface VersionRequest {
  readonly version: string;
}

/** Name and version of the runtime, and the version of the interface. */
export interface VersionResponse {
  readonly version: string;
  readonly runtime_name: string;
  readonly runtime_version: string;
  readonly runtime_api_version: string;
}

/** Lines of the pod's `/etc/resolv.conf`. */
export interface DNSConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/** A port of the node that leads to the pod; `protocol` is 0 TCP, 1 UDP, 2 SCTP. */
export interface PortMapping {
  readonly protocol: number;
  readonly container_port: number;
  readonly host_port: number;
  readonly host_ip: string;
}

/** A path of the node in a container; `propagation` is 0 private, 1 from the node, 2 in both directions. */
export interface Mount {
  readonly container_path: string;
  readonly host_path: string;
  readonly readonly: boolean;
  readonly selinux_relabel: boolean;
  readonly propagation: number;
}

/** Linux namespaces; each is 0 the pod's, 1 the container's, 2 the node's, 3 that of container `target_id`. */
export interface NamespaceOption {
  readonly network: number;
  readonly pid: number;
  readonly ipc: number;
  readonly target_id: string;
}

/** A number in a message of its own: null where it is absent. */
export interface Int64Value {
  readonly value: Int64;
}

/** Security settings of a sandbox. */
export interface LinuxSandboxSecurityContext {
  readonly namespace_options: NamespaceOption | null;
  readonly selinux_options: SELinuxOption | null;
  readonly run_as_user: Int64Value | null;
  readonly run_as_group: Int64Value | null;
  readonly readonly_rootfs: boolean;
  readonly supplemental_groups: readonly Int64[];
  readonly privileged: boolean;
  readonly seccomp: SecurityProfile | null;
  readonly apparmor: SecurityProfile | null;
  readonly seccomp_profile_path: string;
}

/**
 * A seccomp or AppArmor profile; `profile_type` is 0 the runtime's default, 1 none, 2 that of
 * `localhost_ref`.
 */
export interface SecurityProfile {
  readonly profile_type: number;
  readonly localhost_ref: string;
}

/** Settings of a sandbox that only Linux has. */
export interface LinuxPodSandboxConfig {
  readonly cgroup_parent: string;
  readonly security_context: LinuxSandboxSecurityContext | null;
  readonly sysctls: Readonly<Record<string, string>>;
}

/** What tells one sandbox of a pod from all others. */
export interface PodSandboxMetadata {
  readonly name: string;
  readonly uid: string;
  readonly namespace: string;
  readonly attempt: number;
}

/** Everything that a sandbox is made from. */
export interface PodSandboxConfig {
  readonly metadata: PodSandboxMetadata | null;
  readonly hostname: string;
  readonly log_directory: string;
  readonly dns_config: DNSConfig | null;
  readonly port_mappings: readonly PortMapping[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly linux: LinuxPodSandboxConfig | null;
}

/** An empty `runtime_handler` is the default one. */
export interface RunPodSandboxRequest {
  readonly config: PodSandboxConfig | null;
  readonly runtime_handler: string;
}

/** The id that the runtime chose. */
export interface RunPodSandboxResponse {
  readonly pod_sandbox_id: string;
}

/** Stops the sandbox and its containers; a stopped one may be stopped again. */
export interface StopPodSandboxRequest {
  readonly pod_sandbox_id: string;
}

/** Nothing but success. */
export type StopPodSandboxResponse = Readonly<Record<string, never>>;

/** Removes the sandbox with its containers; one that is gone may be removed again. */
export interface RemovePodSandboxRequest {
  readonly pod_sandbox_id: string;
}

/** Nothing but success. */
export type RemovePodSandboxResponse = Readonly<Record<string, never>>;

/** Asks for one sandbox; `verbose` adds what the runtime wants to tell for debugging. */
export interface PodSandboxStatusRequest {
  readonly pod_sandbox_id: string;
  readonly verbose: boolean;
}

/** A further address of a pod. */
export interface PodIP {
  readonly ip: string;
}

/** Addresses of a pod, the primary one in `ip`; empty on the node's network. */
export interface PodSandboxNetworkStatus {
  readonly ip: string;
  readonly additional_ips: readonly PodIP[];
}

/** The namespaces that a sandbox was made with. */
export interface Namespace {
  readonly options: NamespaceOption | null;
}

/** State of a sandbox that only Linux has. */
export interface LinuxPodSandboxStatus {
  readonly namespaces: Namespace | null;
}

/** State of a sandbox: `state` 0 is ready, 1 not; `created_at` in nanoseconds since the Unix epoch. */
export interface PodSandboxStatus {
  readonly id: string;
  readonly metadata: PodSandboxMetadata | null;
  readonly state: number;
  readonly created_at: Int64;
  readonly network: PodSandboxNetworkStatus | null;
  readonly linux: LinuxPodSandboxStatus | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly runtime_handler: string;
}

/** A sandbox; `info` is empty unless the request was verbose. */
export interface PodSandboxStatusResponse {
  readonly status: PodSandboxStatus | null;
  readonly info: Readonly<Record<string, string>>;
}

/** A state that may be absent in a filter. */
export interface PodSandboxStateValue {
  readonly state: number;
}

/** Sandboxes that match all of this; empty fields match every one. */
export interface PodSandboxFilter {
  readonly id: string;
  readonly state: PodSandboxStateValue | null;
  readonly label_selector: Readonly<Record<string, string>>;
}

/** A null filter lists every sandbox. */
export interface ListPodSandboxRequest {
  readonly filter: PodSandboxFilter | null;
}

/** A sandbox in a list: `state` 0 is ready, 1 not; `created_at` in nanoseconds since the Unix epoch. */
export interface PodSandbox {
  readonly id: string;
  readonly metadata: PodSandboxMetadata | null;
  readonly state: number;
  readonly created_at: Int64;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly runtime_handler: string;
}

/** Sandboxes in no particular order. */
export interface ListPodSandboxResponse {
  readonly items: readonly PodSandbox[];
}

/** An image by name or id. */
export interface ImageSpec {
  readonly image: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** An environment variable. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** Bounds of a container's control group; 0 is the runtime's default. CPU times in microseconds. */
export interface LinuxContainerResources {
  readonly cpu_period: Int64;
  readonly cpu_quota: Int64;
  readonly cpu_shares: Int64;
  readonly memory_limit_in_bytes: Int64;
  readonly oom_score_adj: Int64;
  readonly cpuset_cpus: string;
  readonly cpuset_mems: string;
  readonly hugepage_limits: readonly HugepageLimit[];
}

/** A limit in bytes for huge pages of one size, such as `2MB`. */
export interface HugepageLimit {
  readonly page_size: string;
  readonly limit: Int64;
}

/** The SELinux label of a container's processes. */
export interface SELinuxOption {
  readonly user: string;
  readonly role: string;
  readonly type: string;
  readonly level: string;
}

/** Linux capabilities to add and to drop; `ALL` stands for every one. */
export interface Capability {
  readonly add_capabilities: readonly string[];
  readonly drop_capabilities: readonly string[];
}

/** Security settings of a container. */
export interface LinuxContainerSecurityContext {
  readonly capabilities: Capability | null;
  readonly privileged: boolean;
  readonly namespace_options: NamespaceOption | null;
  readonly selinux_options: SELinuxOption | null;
  readonly run_as_user: Int64Value | null;
  readonly run_as_group: Int64Value | null;
  readonly run_as_username: string;
  readonly readonly_rootfs: boolean;
  readonly supplemental_groups: readonly Int64[];
  readonly no_new_privs: boolean;
  readonly masked_paths: readonly string[];
  readonly readonly_paths: readonly string[];
  readonly seccomp: SecurityProfile | null;
  readonly apparmor: SecurityProfile | null;
  readonly apparmor_profile: string;
  readonly seccomp_profile_path: string;
}

/** Settings of a container that only Linux has. */
export interface LinuxContainerConfig {
  readonly resources: LinuxContainerResources | null;
  readonly security_context: LinuxContainerSecurityContext | null;
}

/** What tells one instance of a container from the others in its sandbox. */
export interface ContainerMetadata {
  readonly name: string;
  readonly attempt: number;
}

/** A device of the node in a container; `permissions` are letters of `rwm`. */
export interface Device {
  readonly container_path: string;
  readonly host_path: string;
  readonly permissions: string;
}

/** Everything that a container is made from; `log_path` is relative to the sandbox's log directory. */
export interface ContainerConfig {
  readonly metadata: ContainerMetadata | null;
  readonly image: ImageSpec | null;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly working_dir: string;
  readonly envs: readonly KeyValue[];
  readonly mounts: readonly Mount[];
  readonly devices: readonly Device[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly log_path: string;
  readonly stdin: boolean;
  readonly stdin_once: boolean;
  readonly tty: boolean;
  readonly linux: LinuxContainerConfig | null;
}

/** `sandbox_config` is the one that the sandbox was made from. */
export interface CreateContainerRequest {
  readonly pod_sandbox_id: string;
  readonly config: ContainerConfig | null;
  readonly sandbox_config: PodSandboxConfig | null;
}

/** The id that the runtime chose. */
export interface CreateContainerResponse {
  readonly container_id: string;
}

/** Starts a container that was created. */
export interface StartContainerRequest {
  readonly container_id: string;
}

/** Nothing but success. */
export type StartContainerResponse = Readonly<Record<string, never>>;

/** `timeout` is in seconds from SIGTERM to SIGKILL; 0 kills at once. */
export interface StopContainerRequest {
  readonly container_id: string;
  readonly timeout: Int64;
}

/** Nothing but success. */
export type StopContainerResponse = Readonly<Record<string, never>>;

/** Removes a container, which is killed if it runs; one that is gone may be removed again. */
export interface RemoveContainerRequest {
  readonly container_id: string;
}

/** Nothing but success. */
export type RemoveContainerResponse = Readonly<Record<string, never>>;

/** A state that may be absent in a filter. */
export interface ContainerStateValue {
  readonly state: number;
}

/** Containers that match all of this; empty fields match every one. */
export interface ContainerFilter {
  readonly id: string;
  readonly state: ContainerStateValue | null;
  readonly pod_sandbox_id: string;
  readonly label_selector: Readonly<Record<string, string>>;
}

/** A null filter lists every container. */
export interface ListContainersRequest {
  readonly filter: ContainerFilter | null;
}

/** A container in a list: `state` 0 is created, 1 running, 2 exited, 3 unknown. */
export interface Container {
  readonly id: string;
  readonly pod_sandbox_id: string;
  readonly metadata: ContainerMetadata | null;
  readonly image: ImageSpec | null;
  readonly image_ref: string;
  readonly state: number;
  readonly created_at: Int64;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Containers in no particular order. */
export interface ListContainersResponse {
  readonly containers: readonly Container[];
}

/** Asks for one container; `verbose` adds what the runtime wants to tell for debugging. */
export interface ContainerStatusRequest {
  readonly container_id: string;
  readonly verbose: boolean;
}

/**
 * State of a container (numbers as in `Container`); times in nanoseconds since the Unix epoch, 0 for not yet.
 */
export interface ContainerStatus {
  readonly id: string;
  readonly metadata: ContainerMetadata | null;
  readonly state: number;
  readonly created_at: Int64;
  readonly started_at: Int64;
  readonly finished_at: Int64;
  readonly exit_code: number;
  readonly image: ImageSpec | null;
  readonly image_ref: string;
  readonly reason: string;
  readonly message: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly log_path: string;
}

/** A container; `info` is empty unless the request was verbose. */
export interface ContainerStatusResponse {
  readonly status: ContainerStatus | null;
  readonly info: Readonly<Record<string, string>>;
}

/** Changes bounds of a container that runs. */
export interface UpdateContainerResourcesRequest {
  readonly container_id: string;
  readonly linux: LinuxContainerResources | null;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Nothing but success. */
export type UpdateContainerResourcesResponse = Readonly<Record<string, never>>;

/** A command to be run to its end; `timeout` is in seconds, 0 for no limit. */
export interface ExecSyncRequest {
  readonly container_id: string;
  readonly cmd: readonly string[];
  readonly timeout: Int64;
}

/** Output and exit code of a command. */
export interface ExecSyncResponse {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly exit_code: number;
}

/** A command whose streams a client will connect to. */
export interface ExecRequest {
  readonly container_id: string;
  readonly cmd: readonly string[];
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** URL of the runtime's streaming server. */
export interface ExecResponse {
  readonly url: string;
}

/** Streams of the container's first process, to which a client will connect. */
export interface AttachRequest {
  readonly container_id: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** URL of the runtime's streaming server. */
export interface AttachResponse {
  readonly url: string;
}

/** Ports of a sandbox, to which a client will connect. */
export interface PortForwardRequest {
  readonly pod_sandbox_id: string;
  readonly port: readonly number[];
}

/** URL of the runtime's streaming server. */
export interface PortForwardResponse {
  readonly url: string;
}

/** Images that match; null matches every one. */
export interface ImageFilter {
  readonly image: ImageSpec | null;
}

/** A null filter lists every image. */
export interface ListImagesRequest {
  readonly filter: ImageFilter | null;
}

/** An image of the runtime; `size` is in bytes. Its user is `uid` or, when that is null, `username`. */
export interface Image {
  readonly id: string;
  readonly repo_tags: readonly string[];
  readonly repo_digests: readonly string[];
  readonly size: Int64;
  readonly uid: Int64Value | null;
  readonly username: string;
  readonly spec: ImageSpec | null;
}

/** Images in no particular order. */
export interface ListImagesResponse {
  readonly images: readonly Image[];
}

/** Asks for one image; `verbose` adds what the runtime wants to tell for debugging. */
export interface ImageStatusRequest {
  readonly image: ImageSpec | null;
  readonly verbose: boolean;
}

/** A null image is not present; `info` is empty unless the request was verbose. */
export interface ImageStatusResponse {
  readonly image: Image | null;
  readonly info: Readonly<Record<string, string>>;
}

/** Credentials of a registry; `auth` is user name and password in base64. */
export interface AuthConfig {
  readonly username: string;
  readonly password: string;
  readonly auth: string;
  readonly server_address: string;
  readonly identity_token: string;
  readonly registry_token: string;
}

/** An image to pull; `sandbox_config` is of the pod that it is for. */
export interface PullImageRequest {
  readonly image: ImageSpec | null;
  readonly auth: AuthConfig | null;
  readonly sandbox_config: PodSandboxConfig | null;
}

/** The reference by which the runtime knows the image that was pulled. */
export interface PullImageResponse {
  readonly image_ref: string;
}

/** Removes an image; one that is gone may be removed again. */
export interface RemoveImageRequest {
  readonly image: ImageSpec | null;
}

/** Nothing but success. */
export type RemoveImageResponse = Readonly<Record<string, never>>;

/** The node's range of pod addresses. */
export interface NetworkConfig {
  readonly pod_cidr: string;
}

/** Settings of the runtime that the agent learns later than it starts. */
export interface RuntimeConfig {
  readonly network_config: NetworkConfig | null;
}

/** Settings that replace those of before. */
export interface UpdateRuntimeConfigRequest {
  readonly runtime_config: RuntimeConfig | null;
}

/** Nothing but success. */
export type UpdateRuntimeConfigResponse = Readonly<Record<string, never>>;

/** A condition such as `RuntimeReady` or `NetworkReady`, with the reason when it is not met. */
export interface RuntimeCondition {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

/** The runtime's conditions. */
export interface RuntimeStatus {
  readonly conditions: readonly RuntimeCondition[];
}

/** Asks for the runtime itself; `verbose` adds what it wants to tell for debugging. */
export interface StatusRequest {
  readonly verbose: boolean;
}

/** The runtime's state; `info` is empty unless the request was verbose. */
export interface StatusResponse {
  readonly status: RuntimeStatus | null;
  readonly info: Readonly<Record<string, string>>;
}

/** Nothing to choose. */
export type ImageFsInfoRequest = Readonly<Record<string, never>>;

/** A number in a message of its own: null where it is absent. */
export interface UInt64Value {
  readonly value: Int64;
}

/** A file system by the path at which it is mounted. */
export interface FilesystemIdentifier {
  readonly mountpoint: string;
}

/** Usage of a file system at `timestamp`, in nanoseconds since the Unix epoch. */
export interface FilesystemUsage {
  readonly timestamp: Int64;
  readonly fs_id: FilesystemIdentifier | null;
  readonly used_bytes: UInt64Value | null;
  readonly inodes_used: UInt64Value | null;
}

/** The file systems that images are kept on. */
export interface ImageFsInfoResponse {
  readonly image_filesystems: readonly FilesystemUsage[];
}

/** Asks for one container. */
export interface ContainerStatsRequest {
  readonly container_id: string;
}

/** Statistics of the container. */
export interface ContainerStatsResponse {
  readonly stats: ContainerStats | null;
}

/** A null filter asks for every container. */
export interface ListContainerStatsRequest {
  readonly filter: ContainerStatsFilter | null;
}

/** Containers that match all of this; empty fields match every one. */
export interface ContainerStatsFilter {
  readonly id: string;
  readonly pod_sandbox_id: string;
  readonly label_selector: Readonly<Record<string, string>>;
}

/** Statistics of containers in no particular order. */
export interface ListContainerStatsResponse {
  readonly stats: readonly ContainerStats[];
}

/** Which container statistics are about. */
export interface ContainerAttributes {
  readonly id: string;
  readonly metadata: ContainerMetadata | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Statistics of a container; what was not measured is null. */
export interface ContainerStats {
  readonly attributes: ContainerAttributes | null;
  readonly cpu: CpuUsage | null;
  readonly memory: MemoryUsage | null;
  readonly writable_layer: FilesystemUsage | null;
}

/**
 * CPU time since the container's start in nanoseconds, measured at `timestamp` (nanoseconds since the Unix
 * epoch).
 */
export interface CpuUsage {
  readonly timestamp: Int64;
  readonly usage_core_nano_seconds: UInt64Value | null;
}

/** Working set in bytes, measured at `timestamp` (nanoseconds since the Unix epoch). */
export interface MemoryUsage {
  readonly timestamp: Int64;
  readonly working_set_bytes: UInt64Value | null;
}

/** Asks to write the container's log to a new file from now on, after a rotation. */
export interface ReopenContainerLogRequest {
  readonly container_id: string;
}

/** Nothing but success. */
export type ReopenContainerLogResponse = Readonly<Record<string, never>>;

/** Method > what it takes and what it answers. */
export interface RuntimeServiceMethods {
  readonly Version: readonly [VersionRequest, VersionResponse];
  readonly RunPodSandbox: readonly [RunPodSandboxRequest, RunPodSandboxResponse];
  readonly StopPodSandbox: readonly [StopPodSandboxRequest, StopPodSandboxResponse];
  readonly RemovePodSandbox: readonly [RemovePodSandboxRequest, RemovePodSandboxResponse];
  readonly PodSandboxStatus: readonly [PodSandboxStatusRequest, PodSandboxStatusResponse];
  readonly ListPodSandbox: readonly [ListPodSandboxRequest, ListPodSandboxResponse];
  readonly CreateContainer: readonly [CreateContainerRequest, CreateContainerResponse];
  readonly StartContainer: readonly [StartContainerRequest, StartContainerResponse];
  readonly StopContainer: readonly [StopContainerRequest, StopContainerResponse];
  readonly RemoveContainer: readonly [RemoveContainerRequest, RemoveContainerResponse];
  readonly ListContainers: readonly [ListContainersRequest, ListContainersResponse];
  readonly ContainerStatus: readonly [ContainerStatusRequest, ContainerStatusResponse];
  readonly UpdateContainerResources: readonly [
    UpdateContainerResourcesRequest,
    UpdateContainerResourcesResponse,
  ];
  readonly ReopenContainerLog: readonly [ReopenContainerLogRequest, ReopenContainerLogResponse];
  readonly ExecSync: readonly [ExecSyncRequest, ExecSyncResponse];
  readonly Exec: readonly [ExecRequest, ExecResponse];
  readonly Attach: readonly [AttachRequest, AttachResponse];
  readonly PortForward: readonly [PortForwardRequest, PortForwardResponse];
  readonly ContainerStats: readonly [ContainerStatsRequest, ContainerStatsResponse];
  readonly ListContainerStats: readonly [ListContainerStatsRequest, ListContainerStatsResponse];
  readonly UpdateRuntimeConfig: readonly [UpdateRuntimeConfigRequest, UpdateRuntimeConfigResponse];
  readonly Status: readonly [StatusRequest, StatusResponse];
}

/** Method > what it takes and what it answers. */
export interface ImageServiceMethods {
  readonly ListImages: readonly [ListImagesRequest, ListImagesResponse];
  readonly ImageStatus: readonly [ImageStatusRequest, ImageStatusResponse];
  readonly PullImage: readonly [PullImageRequest, PullImageResponse];
  readonly RemoveImage: readonly [RemoveImageRequest, RemoveImageResponse];
  readonly ImageFsInfo: readonly [ImageFsInfoRequest, ImageFsInfoResponse];
}
