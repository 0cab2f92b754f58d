/**
 * Messages and methods of the container runtime interface, as `protocol.json` defines them: equal in versions `v1` and
 * `v1alpha2`. A table, which is why it is long; what the fields mean is said in the runtime contract.
 */

/** A 64-bit number as the decoder gives it. */
export type Int64 = number | { toNumber(): number };

export interface VersionRequest {
  readonly version: string;
}

export interface VersionResponse {
  readonly version: string;
  readonly runtime_name: string;
  readonly runtime_version: string;
  readonly runtime_api_version: string;
}

export interface DNSConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

export interface PortMapping {
  readonly protocol: number;
  readonly container_port: number;
  readonly host_port: number;
  readonly host_ip: string;
}

export interface Mount {
  readonly container_path: string;
  readonly host_path: string;
  readonly readonly: boolean;
  readonly selinux_relabel: boolean;
  readonly propagation: number;
}

export interface NamespaceOption {
  readonly network: number;
  readonly pid: number;
  readonly ipc: number;
  readonly target_id: string;
}

export interface Int64Value {
  readonly value: Int64;
}

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

export interface SecurityProfile {
  readonly profile_type: number;
  readonly localhost_ref: string;
}

export interface LinuxPodSandboxConfig {
  readonly cgroup_parent: string;
  readonly security_context: LinuxSandboxSecurityContext | null;
  readonly sysctls: Readonly<Record<string, string>>;
}

export interface PodSandboxMetadata {
  readonly name: string;
  readonly uid: string;
  readonly namespace: string;
  readonly attempt: number;
}

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

export interface RunPodSandboxRequest {
  readonly config: PodSandboxConfig | null;
  readonly runtime_handler: string;
}

export interface RunPodSandboxResponse {
  readonly pod_sandbox_id: string;
}

export interface StopPodSandboxRequest {
  readonly pod_sandbox_id: string;
}

export type StopPodSandboxResponse = Readonly<Record<string, never>>;

export interface RemovePodSandboxRequest {
  readonly pod_sandbox_id: string;
}

export type RemovePodSandboxResponse = Readonly<Record<string, never>>;

export interface PodSandboxStatusRequest {
  readonly pod_sandbox_id: string;
  readonly verbose: boolean;
}

export interface PodIP {
  readonly ip: string;
}

export interface PodSandboxNetworkStatus {
  readonly ip: string;
  readonly additional_ips: readonly PodIP[];
}

export interface Namespace {
  readonly options: NamespaceOption | null;
}

export interface LinuxPodSandboxStatus {
  readonly namespaces: Namespace | null;
}

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

export interface PodSandboxStatusResponse {
  readonly status: PodSandboxStatus | null;
  readonly info: Readonly<Record<string, string>>;
}

export interface PodSandboxStateValue {
  readonly state: number;
}

export interface PodSandboxFilter {
  readonly id: string;
  readonly state: PodSandboxStateValue | null;
  readonly label_selector: Readonly<Record<string, string>>;
}

export interface ListPodSandboxRequest {
  readonly filter: PodSandboxFilter | null;
}

export interface PodSandbox {
  readonly id: string;
  readonly metadata: PodSandboxMetadata | null;
  readonly state: number;
  readonly created_at: Int64;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly runtime_handler: string;
}

export interface ListPodSandboxResponse {
  readonly items: readonly PodSandbox[];
}

export interface ImageSpec {
  readonly image: string;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

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

export interface HugepageLimit {
  readonly page_size: string;
  readonly limit: Int64;
}

export interface SELinuxOption {
  readonly user: string;
  readonly role: string;
  readonly type: string;
  readonly level: string;
}

export interface Capability {
  readonly add_capabilities: readonly string[];
  readonly drop_capabilities: readonly string[];
}

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

export interface LinuxContainerConfig {
  readonly resources: LinuxContainerResources | null;
  readonly security_context: LinuxContainerSecurityContext | null;
}

export interface ContainerMetadata {
  readonly name: string;
  readonly attempt: number;
}

export interface Device {
  readonly container_path: string;
  readonly host_path: string;
  readonly permissions: string;
}

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

export interface CreateContainerRequest {
  readonly pod_sandbox_id: string;
  readonly config: ContainerConfig | null;
  readonly sandbox_config: PodSandboxConfig | null;
}

export interface CreateContainerResponse {
  readonly container_id: string;
}

export interface StartContainerRequest {
  readonly container_id: string;
}

export type StartContainerResponse = Readonly<Record<string, never>>;

export interface StopContainerRequest {
  readonly container_id: string;
  readonly timeout: Int64;
}

export type StopContainerResponse = Readonly<Record<string, never>>;

export interface RemoveContainerRequest {
  readonly container_id: string;
}

export type RemoveContainerResponse = Readonly<Record<string, never>>;

export interface ContainerStateValue {
  readonly state: number;
}

export interface ContainerFilter {
  readonly id: string;
  readonly state: ContainerStateValue | null;
  readonly pod_sandbox_id: string;
  readonly label_selector: Readonly<Record<string, string>>;
}

export interface ListContainersRequest {
  readonly filter: ContainerFilter | null;
}

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

export interface ListContainersResponse {
  readonly containers: readonly Container[];
}

export interface ContainerStatusRequest {
  readonly container_id: string;
  readonly verbose: boolean;
}

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

export interface ContainerStatusResponse {
  readonly status: ContainerStatus | null;
  readonly info: Readonly<Record<string, string>>;
}

export interface UpdateContainerResourcesRequest {
  readonly container_id: string;
  readonly linux: LinuxContainerResources | null;
  readonly annotations: Readonly<Record<string, string>>;
}

export type UpdateContainerResourcesResponse = Readonly<Record<string, never>>;

export interface ExecSyncRequest {
  readonly container_id: string;
  readonly cmd: readonly string[];
  readonly timeout: Int64;
}

export interface ExecSyncResponse {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly exit_code: number;
}

export interface ExecRequest {
  readonly container_id: string;
  readonly cmd: readonly string[];
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export interface ExecResponse {
  readonly url: string;
}

export interface AttachRequest {
  readonly container_id: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

export interface AttachResponse {
  readonly url: string;
}

export interface PortForwardRequest {
  readonly pod_sandbox_id: string;
  readonly port: readonly number[];
}

export interface PortForwardResponse {
  readonly url: string;
}

export interface ImageFilter {
  readonly image: ImageSpec | null;
}

export interface ListImagesRequest {
  readonly filter: ImageFilter | null;
}

export interface Image {
  readonly id: string;
  readonly repo_tags: readonly string[];
  readonly repo_digests: readonly string[];
  readonly size: Int64;
  readonly uid: Int64Value | null;
  readonly username: string;
  readonly spec: ImageSpec | null;
}

export interface ListImagesResponse {
  readonly images: readonly Image[];
}

export interface ImageStatusRequest {
  readonly image: ImageSpec | null;
  readonly verbose: boolean;
}

export interface ImageStatusResponse {
  readonly image: Image | null;
  readonly info: Readonly<Record<string, string>>;
}

export interface AuthConfig {
  readonly username: string;
  readonly password: string;
  readonly auth: string;
  readonly server_address: string;
  readonly identity_token: string;
  readonly registry_token: string;
}

export interface PullImageRequest {
  readonly image: ImageSpec | null;
  readonly auth: AuthConfig | null;
  readonly sandbox_config: PodSandboxConfig | null;
}

export interface PullImageResponse {
  readonly image_ref: string;
}

export interface RemoveImageRequest {
  readonly image: ImageSpec | null;
}

export type RemoveImageResponse = Readonly<Record<string, never>>;

export interface NetworkConfig {
  readonly pod_cidr: string;
}

export interface RuntimeConfig {
  readonly network_config: NetworkConfig | null;
}

export interface UpdateRuntimeConfigRequest {
  readonly runtime_config: RuntimeConfig | null;
}

export type UpdateRuntimeConfigResponse = Readonly<Record<string, never>>;

export interface RuntimeCondition {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

export interface RuntimeStatus {
  readonly conditions: readonly RuntimeCondition[];
}

export interface StatusRequest {
  readonly verbose: boolean;
}

export interface StatusResponse {
  readonly status: RuntimeStatus | null;
  readonly info: Readonly<Record<string, string>>;
}

export type ImageFsInfoRequest = Readonly<Record<string, never>>;

export interface UInt64Value {
  readonly value: Int64;
}

export interface FilesystemIdentifier {
  readonly mountpoint: string;
}

export interface FilesystemUsage {
  readonly timestamp: Int64;
  readonly fs_id: FilesystemIdentifier | null;
  readonly used_bytes: UInt64Value | null;
  readonly inodes_used: UInt64Value | null;
}

export interface ImageFsInfoResponse {
  readonly image_filesystems: readonly FilesystemUsage[];
}

export interface ContainerStatsRequest {
  readonly container_id: string;
}

export interface ContainerStatsResponse {
  readonly stats: ContainerStats | null;
}

export interface ListContainerStatsRequest {
  readonly filter: ContainerStatsFilter | null;
}

export interface ContainerStatsFilter {
  readonly id: string;
  readonly pod_sandbox_id: string;
  readonly label_selector: Readonly<Record<string, string>>;
}

export interface ListContainerStatsResponse {
  readonly stats: readonly ContainerStats[];
}

export interface ContainerAttributes {
  readonly id: string;
  readonly metadata: ContainerMetadata | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ContainerStats {
  readonly attributes: ContainerAttributes | null;
  readonly cpu: CpuUsage | null;
  readonly memory: MemoryUsage | null;
  readonly writable_layer: FilesystemUsage | null;
}

export interface CpuUsage {
  readonly timestamp: Int64;
  readonly usage_core_nano_seconds: UInt64Value | null;
}

export interface MemoryUsage {
  readonly timestamp: Int64;
  readonly working_set_bytes: UInt64Value | null;
}

export interface ReopenContainerLogRequest {
  readonly container_id: string;
}

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
