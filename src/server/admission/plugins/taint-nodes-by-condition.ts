import type { Node } from '../../../apis/types/core-v1.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';

/** Adds the not-ready taint to new nodes: no pod is scheduled there before a controller has removed it. */
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
