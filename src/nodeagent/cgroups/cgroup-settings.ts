import type { CgroupSettings } from '../container-config/index.ts';
import type { AgentConfig } from '../options/index.ts';

/** What configurations of containers need to know of control groups. */
export function cgroupSettings({
  cgroupDriver,
  cgroupRoot,
  cgroupsPerQos,
}: Pick<AgentConfig, 'cgroupDriver' | 'cgroupRoot' | 'cgroupsPerQos'>): CgroupSettings {
  return {
    driver: cgroupDriver === 'systemd' ? 'systemd' : 'cgroupfs',
    root: cgroupRoot,
    isPerQos: cgroupsPerQos,
  };
}
