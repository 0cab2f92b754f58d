import { readFileSync } from 'node:fs';
import { fileErrorText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import {
  ContainerConfigError,
  type NodeSettings,
  parseResolvConf,
} from '../../nodeagent/container-config/index.ts';
import type { Machine } from '../../nodeagent/node/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import type { DnsConfig } from '../../nodeagent/runtime/index.ts';

export interface NodeSettingsInputs {
  readonly config: AgentConfig;
  readonly machine: Machine;
  readonly dialect: Dialect;
  /** Addresses of the node. */
  readonly nodeIps: readonly string[];
}

/**
 * What sandboxes and containers are made with, the same for all pods. The file that `--resolv-conf` names is read by
 * each call: it may change, or be missing as long as no pod is started.
 */
export function nodeSettings({ config, machine, dialect, nodeIps }: NodeSettingsInputs): NodeSettings {
  return {
    dialect,
    rootDirectory: config.rootDir,
    seccompProfileRoot: config.seccompProfileRoot,
    clusterDomain: config.clusterDomain,
    dns: {
      clusterDns: config.clusterDns,
      resolvConf: config.resolvConf === '' ? undefined : readResolvConf(config.resolvConf),
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

function readResolvConf(path: string): DnsConfig | Error {
  try {
    return parseResolvConf(readFileSync(path, 'utf8'));
  } catch (error) {
    return error instanceof ContainerConfigError
      ? error
      : new Error(fileErrorText(error, path), { cause: error });
  }
}
