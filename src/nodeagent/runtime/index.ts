/**
 * The contract between the agent and a container runtime, in terms of pods, containers and images: types, and the one
 * error that calls fail with. Drivers implement it (`cri`, `legacyrt`); nothing here knows how a runtime is spoken to.
 * Modelled on the container runtime interface of release 1.20, with units and absence made explicit.
 */
export type {
  Container,
  ContainerConfig,
  ContainerFilter,
  ContainerMetadata,
  ContainerResources,
  ContainerState,
  ContainerStatus,
  Device,
  EnvironmentVariable,
  HugepageLimit,
  Mount,
  MountPropagation,
} from './container.ts';
export type {
  ContainerRuntime,
  CreateContainerOptions,
  ImageService,
  RunPodSandboxOptions,
  RuntimeCondition,
  RuntimeService,
  RuntimeStatus,
  RuntimeVersion,
  StopContainerOptions,
} from './contract.ts';
export { formatRuntimeFailure, runtimeFailureDetail } from './format-failure.ts';
export type { FilesystemUsage, Image, PullImageOptions, RegistryCredentials } from './image.ts';
export type {
  DnsConfig,
  PodSandbox,
  PodSandboxConfig,
  PodSandboxFilter,
  PodSandboxMetadata,
  PodSandboxState,
  PodSandboxStatus,
  PortMapping,
  PortProtocol,
} from './pod-sandbox.ts';
export { isNotFound, RuntimeError, type RuntimeErrorCode } from './runtime-error.ts';
export type {
  ContainerSecurityContext,
  NamespaceMode,
  NamespaceOptions,
  SandboxSecurityContext,
  SecurityProfile,
  SelinuxOptions,
} from './security.ts';
export type { ContainerStats, ContainerStatsFilter, CpuUsage, MemoryUsage } from './stats.ts';
export type {
  AttachStreamOptions,
  ExecStreamOptions,
  ExecSyncOptions,
  ExecSyncResult,
  PortForwardOptions,
} from './streaming.ts';
