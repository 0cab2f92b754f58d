import type {
  ContainerConfig,
  ContainerResources,
  ContainerSecurityContext,
  Device,
  Mount,
} from '../runtime/index.ts';
import type {
  ContainerConfig as ContainerConfigMessage,
  Device as DeviceMessage,
  LinuxContainerResources,
  LinuxContainerSecurityContext,
  Mount as MountMessage,
} from './messages.ts';
import type { Sparse } from './protocol.ts';
import { writeCommonSecurity, writeOlderProfile } from './write-security.ts';

/** Numbers of the interface's `MountPropagation`. */
export const propagations = { private: 0, 'host-to-container': 1, bidirectional: 2 } as const;

/** The message that a container is made from. */
export function writeContainerConfig(config: ContainerConfig): Sparse<ContainerConfigMessage> {
  return {
    metadata: config.metadata,
    image: { image: config.image },
    command: config.command,
    args: config.args,
    working_dir: config.workingDirectory,
    envs: config.environment?.map(({ name, value }) => ({ key: name, value })),
    mounts: config.mounts?.map(writeMount),
    devices: config.devices?.map(writeDevice),
    labels: config.labels,
    annotations: config.annotations,
    log_path: config.logPath,
    stdin: config.stdin,
    stdin_once: config.stdinOnce,
    tty: config.tty,
    linux: {
      resources: config.resources && writeResources(config.resources),
      security_context: config.security && writeSecurity(config.security),
    },
  };
}

/** The message of a container's bounds; what is left out is 0, which changes nothing. */
export function writeResources(resources: ContainerResources): Sparse<LinuxContainerResources> {
  return {
    cpu_period: resources.cpuPeriodUs,
    cpu_quota: resources.cpuQuotaUs,
    cpu_shares: resources.cpuShares,
    memory_limit_in_bytes: resources.memoryLimitBytes,
    oom_score_adj: resources.oomScoreAdj,
    cpuset_cpus: resources.cpusetCpus,
    cpuset_mems: resources.cpusetMems,
    hugepage_limits: resources.hugepageLimits?.map(({ pageSize, limitBytes }) => ({
      page_size: pageSize,
      limit: limitBytes,
    })),
  };
}

function writeMount(mount: Mount): Sparse<MountMessage> {
  return {
    container_path: mount.containerPath,
    host_path: mount.hostPath,
    readonly: mount.isReadOnly,
    selinux_relabel: mount.relabelsSelinux,
    propagation: propagations[mount.propagation],
  };
}

function writeDevice(device: Device): Sparse<DeviceMessage> {
  return {
    container_path: device.containerPath,
    host_path: device.hostPath,
    permissions: device.permissions,
  };
}

function writeSecurity(security: ContainerSecurityContext): Sparse<LinuxContainerSecurityContext> {
  const { addCapabilities, dropCapabilities, apparmor } = security;
  const hasCapabilities = addCapabilities !== undefined || dropCapabilities !== undefined;
  return {
    ...writeCommonSecurity(security),
    capabilities: hasCapabilities
      ? { add_capabilities: addCapabilities, drop_capabilities: dropCapabilities }
      : undefined,
    run_as_username: security.runAsUsername,
    no_new_privs: security.noNewPrivileges,
    masked_paths: security.maskedPaths,
    readonly_paths: security.readOnlyPaths,
    apparmor_profile: apparmor && writeOlderProfile(apparmor),
  };
}
