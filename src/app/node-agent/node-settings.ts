import type { Dialect } from '../../machinery/dialect.ts';
import { type NodeSettings, parseResolvConf } from '../../nodeagent/container-config/index.ts';
import type { Machine } from '../../nodeagent/node/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';

export interface NodeSettingsInputs {
  readonly config: AgentConfig;
  readonly machine: Machine;
  readonly dialect: Dialect;
  /** Lines of the file that `--resolv-conf` names; undefined when it names none. */
  readonly resolvConf: string | undefined;
  /** Addresses of the node. */
  readonly nodeIps: readonly string[];
}

/** What sandboxes and containers are made with, the same for all pods. @throws ContainerConfigError for a bad file */
export function nodeSettings({
  config,
  machine,
  dialect,
  resolvConf,
  nodeIps,
}: NodeSettingsInputs): NodeSettings {
  return {
    dialect,
    rootDirectory: config.rootDir,
    seccompProfileRoot: config.seccompProfileRoot,
    clusterDomain: config.clusterDomain,
    dns: {
      clusterDns: config.clusterDns,
      resolvConf: resolvConf === undefined ? undefined : parseResolvConf(resolvConf),
      nodeIps,
    },
    cgroups: {
      driver: config.cgroupDriver === 'systemd' ? 'systemd' : 'cgroupfs',
      root: config.cgroupRoot,
      isPerQos: config.cgroupsPerQos,
    },
    cpuBounding: { isEnforced: config.cpuCfsQuota, periodUs: config.cpuCfsQuotaPeriodMs * 1000 },
    memoryCapacityBytes: machine.memoryBytes,
    hugepageSizes: [...machine.hugepageBytes.keys()].map((size) => `${size.slice(0, -1)}B`),
    isSelinuxEnabled: false,
    masterServiceNamespace: config.masterServiceNamespace,
  };
}
