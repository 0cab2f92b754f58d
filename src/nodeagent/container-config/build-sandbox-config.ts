import type { Pod } from '../../apis/types/core-v1.ts';
import type { PodSandboxConfig } from '../runtime/index.ts';
import { podCgroupParent } from './cgroup-names.ts';
import type { NodeSettings } from './node-settings.ts';
import type { ConfigNotice } from './notice.ts';
import { podDns } from './pod-dns.ts';
import { podHostname } from './pod-hostname.ts';
import { podLogsDirectory } from './pod-paths.ts';
import { portMappings } from './port-mappings.ts';
import { sandboxLabels } from './runtime-labels.ts';
import { sandboxSecurity } from './security-context.ts';
import { podSysctls } from './sysctls.ts';

/** Everything that the configuration of a pod's sandbox depends on; the result depends on nothing else. */
export interface SandboxConfigInputs {
  /** Defaults set and valid. */
  readonly pod: Pod;
  /** Sandboxes that the pod had before. */
  readonly attempt: number;
  readonly node: NodeSettings;
  /** Groups that volumes ask for. */
  readonly extraGroups?: readonly number[];
}

/**
 * Configuration of a sandbox, and what is to be reported about settings that could not be followed exactly.
 */
export interface SandboxPlan {
  readonly config: PodSandboxConfig;
  readonly notices: readonly ConfigNotice[];
}

/**
 * All that the sandbox of a pod is made from.
 *
 * @throws ContainerConfigError for a host name that is none, Error when the node's `resolv.conf` is not known.
 */
export function buildSandboxConfig({
  pod,
  attempt,
  node,
  extraGroups = [],
}: SandboxConfigInputs): SandboxPlan {
  const { metadata, spec } = pod;
  const { dialect, clusterDomain } = node;
  const { dns, notices } = podDns(pod, { ...node.dns, clusterDomain, dialect });
  const config: PodSandboxConfig = {
    metadata: {
      name: metadata.name ?? '',
      namespace: metadata.namespace ?? '',
      uid: metadata.uid ?? '',
      attempt,
    },
    hostname: spec.hostNetwork === true ? undefined : podHostname(pod, clusterDomain).kernelHostname,
    logDirectory: podLogsDirectory(pod),
    dns,
    portMappings: portMappings(spec.containers ?? []),
    labels: sandboxLabels(pod, dialect),
    annotations: { ...metadata.annotations },
    cgroupParent: podCgroupParent(pod, node.cgroups, dialect),
    sysctls: podSysctls(pod),
    security: sandboxSecurity(pod, extraGroups),
  };
  return { config, notices };
}
