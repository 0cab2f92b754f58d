import type { Pod } from '../../../apis/types/core-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import {
  type CgroupSettings,
  formatCgroupName,
  podCgroupName,
  qosCgroupName,
} from '../../container-config/index.ts';
import type { AgentConfig } from '../../options/index.ts';

/** Where control groups are below the mount of a controller. */
export interface CgroupPaths {
  /** Group of all pods; undefined when pods get no groups of their own. */
  readonly pods: string | undefined;
  /** Groups of the classes of service. */
  readonly classes: readonly string[];
  /** Undefined when pods get no groups of their own. */
  pod(pod: Pod): string | undefined;
  container(podPath: string, containerId: string): string;
}

/** The paths by a configuration, for both drivers of control groups. */
export function cgroupPaths(config: AgentConfig, dialect: Dialect): CgroupPaths {
  const driver = config.cgroupDriver === 'systemd' ? 'systemd' : 'cgroupfs';
  const settings: CgroupSettings = { driver, root: config.cgroupRoot, isPerQos: config.cgroupsPerQos };
  const format = (parts: readonly string[]): string => formatCgroupName(parts, driver);
  // Runtimes put their own name before the units of containers.
  const scope = config.containerRuntime === 'remote' ? 'cri-containerd' : 'docker';
  if (!settings.isPerQos) {
    return { pods: undefined, classes: [], pod: () => undefined, container: containerIn(driver, scope) };
  }
  return {
    pods: format(qosCgroupName('Guaranteed', settings, dialect)),
    classes: (['BestEffort', 'Burstable'] as const).map((name) =>
      format(qosCgroupName(name, settings, dialect)),
    ),
    pod: (pod) => format(podCgroupName(pod, settings, dialect)),
    container: containerIn(driver, scope),
  };
}

const containerIn =
  (driver: CgroupSettings['driver'], scope: string) =>
  (podPath: string, containerId: string): string =>
    driver === 'systemd' ? `${podPath}/${scope}-${containerId}.scope` : `${podPath}/${containerId}`;
