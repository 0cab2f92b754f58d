/**
 * Says what the sandbox of a pod and each of its containers are made from, in the terms of the runtime's contract: from
 * the pod, settings of the node, paths of its volumes, services, config maps and secrets, all given as values. Pure:
 * makes no files, mounts nothing and sends no requests; what must be there before a container is made is part of the
 * answer. Names, orders and messages are those of the agent of release 1.20.
 */
export {
  buildContainerConfig,
  type ContainerConfigInputs,
  type ContainerPlan,
  type DeviceAdditions,
  type NeededFile,
} from './build-container-config.ts';
export { buildSandboxConfig, type SandboxConfigInputs, type SandboxPlan } from './build-sandbox-config.ts';
export {
  type CgroupSettings,
  formatCgroupName,
  podCgroupName,
  podCgroupParent,
  qosCgroupName,
} from './cgroup-names.ts';
export { ContainerConfigError } from './config-error.ts';
export type { ConfigSources } from './config-sources.ts';
export { type ContainerResourcesOptions, containerResources } from './container-resources.ts';
export { cpuQuotaUsOf, cpuSharesOf, defaultCpuPeriodUs, minCpuShares } from './cpu.ts';
export { buildEnvironment, type Environment, type EnvironmentOptions } from './environment.ts';
export { type ExpandedCommand, expandCommand } from './expand-command.ts';
export { expandVariables, maxExpandedLength } from './expand-variables.ts';
export { type HostsFileOptions, hostsFile } from './hosts-file.ts';
export { formatPageSize, readHugepages } from './hugepages.ts';
export { localVolumes } from './local-volumes.ts';
export type { CpuBounding, NodeSettings } from './node-settings.ts';
export type { ConfigNotice } from './notice.ts';
export { type OomScoreOptions, oomScoreAdjustment } from './oom-score.ts';
export { checkNodeSearches, type DnsSettings, type PodDns, type PodDnsOptions, podDns } from './pod-dns.ts';
export { extractPodField, type PodAddresses } from './pod-field.ts';
export { type PodHostname, podHostname } from './pod-hostname.ts';
export { formatPodName } from './pod-name.ts';
export {
  containerLogLink,
  containerLogPath,
  hostsFilePath,
  logRoots,
  podContainerDirectory,
  podDirectory,
  podLogsDirectory,
  podPluginDirectory,
  podsDirectory,
  subPathDirectory,
  volumeDeviceDirectory,
  volumeDirectory,
} from './pod-paths.ts';
export {
  burstableCpuShares,
  type CgroupBounds,
  type PodCgroupOptions,
  podCgroupBounds,
  podMemoryRequest,
} from './pod-resources.ts';
export { portMappings } from './port-mappings.ts';
export { parseResolvConf } from './resolv-conf.ts';
export { extractResourceField, type ResourceFieldOptions } from './resource-field.ts';
export {
  type ContainerAnnotationsOptions,
  containerAnnotations,
  containerLabels,
  type RuntimeLabelNames,
  runtimeLabelNames,
  sandboxLabels,
} from './runtime-labels.ts';
export {
  type ContainerSecurityOptions,
  containerSecurity,
  type ImageUser,
  mergeSecurityContext,
  podNamespaces,
  sandboxSecurity,
} from './security-context.ts';
export { apparmorProfile, type SeccompOptions, seccompProfile } from './security-profiles.ts';
export { type ServiceVariablesOptions, serviceVariables } from './service-variables.ts';
export { type PodRefusal, podSysctls, refuseSysctls } from './sysctls.ts';
export {
  blockDevices,
  type PodVolume,
  type SubPath,
  type VolumeMountsOptions,
  volumeMounts,
} from './volume-mounts.ts';
