import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

/**
 * Refuses required anti-affinity with a topology key other than the host name's: pods may keep others off their node,
 * not off whole zones.
 */
export function limitPodHardAntiAffinityTopology({ dialect }: PluginSources): AdmissionPlugin {
  const allowedKey = dialect.label('hostname');
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    handles: onOperations('CREATE', 'UPDATE'),
    validate(attributes) {
      const terms =
        podOf(attributes)?.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
      const wider = terms?.find(({ topologyKey }) => topologyKey !== allowedKey);
      if (wider === undefined) return;
      throw refuse(
        attributes,
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wider.topologyKey} but only key ${allowedKey} is allowed`,
      );
    },
  };
}
