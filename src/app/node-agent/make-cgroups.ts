import { createPodCgroups, type PodCgroups } from '../../nodeagent/cgroups/index.ts';
import type { AgentBase } from './agent-base.ts';

const root = '/sys/fs/cgroup';

/** Control groups of the pods, timed in the agent's metrics; undefined when pods get none of their own. */
export function makeCgroups(base: AgentBase): PodCgroups | undefined {
  const { config, events, dialect, clock, logger, metrics } = base;
  if (!config.cgroupsPerQos) return undefined;
  const cgroups = createPodCgroups({ root, config, events, dialect, clock, logger });
  const timed = async <T>(operation: 'create' | 'update' | 'destroy', act: () => Promise<T>): Promise<T> => {
    const startMs = clock.nowMs();
    try {
      return await act();
    } finally {
      const seconds = (clock.nowMs() - startMs) / 1000;
      metrics.observe('nodeagent_cgroup_manager_duration_seconds', seconds, [operation]);
    }
  };
  return {
    prepareNode: (capacity) => timed('create', () => cgroups.prepareNode(capacity)),
    ensurePod: (pod) => timed('create', () => cgroups.ensurePod(pod)),
    updateQos: (pods) => timed('update', () => cgroups.updateQos(pods)),
    removePod: (podUid) => timed('destroy', () => cgroups.removePod(podUid)),
    podsPresent: () => cgroups.podsPresent(),
  };
}
