import type { DnsConfig, PodSandboxConfig, PortMapping } from '../runtime/index.ts';
import type {
  DNSConfig as DnsConfigMessage,
  PodSandboxConfig as PodSandboxConfigMessage,
  PortMapping as PortMappingMessage,
} from './messages.ts';
import type { Sparse } from './protocol.ts';
import { writeCommonSecurity } from './write-security.ts';

/** Numbers of the interface's `Protocol`. */
const protocols = { TCP: 0, UDP: 1, SCTP: 2 } as const;

/** The message that a sandbox is made from. */
export function writeSandboxConfig(config: PodSandboxConfig): Sparse<PodSandboxConfigMessage> {
  return {
    metadata: config.metadata,
    hostname: config.hostname,
    log_directory: config.logDirectory,
    dns_config: config.dns && writeDns(config.dns),
    port_mappings: config.portMappings?.map(writePortMapping),
    labels: config.labels,
    annotations: config.annotations,
    linux: {
      cgroup_parent: config.cgroupParent,
      sysctls: config.sysctls,
      security_context: config.security && writeCommonSecurity(config.security),
    },
  };
}

function writeDns({ servers, searches, options }: DnsConfig): Sparse<DnsConfigMessage> {
  return { servers, searches, options };
}

function writePortMapping(mapping: PortMapping): Sparse<PortMappingMessage> {
  return {
    protocol: protocols[mapping.protocol],
    container_port: mapping.containerPort,
    host_port: mapping.hostPort,
    host_ip: mapping.hostIp,
  };
}
