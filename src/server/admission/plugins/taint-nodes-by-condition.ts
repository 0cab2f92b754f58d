import type { Node } from '../../../apis/types/core-v1.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';

/** Keeps pods off a new node until somebody has seen that it is ready. */
export function taintNodesByCondition({ dialect }: PluginSources): AdmissionPlugin {
  const notReady = { key: dialect.domain('node', 'not-ready'), effect: 'NoSchedule' };
  return {
    name: 'TaintNodesByCondition',
    handles: onOperations('CREATE'),
    admit({ resource, subresource, object }) {
      if (resource.resource !== 'nodes' || resource.group !== '' || subresource !== '') return;
      const { spec } = object as Node; // the resource holds nothing else
      const taints = spec.taints ?? [];
      if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return;
      spec.taints = [...taints, { ...notReady }];
    },
  };
}
