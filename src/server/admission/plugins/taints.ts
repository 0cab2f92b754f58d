import type { Node, Pod, Toleration } from '../../../apis/types/core-v1.ts';
import { isExtendedResource } from '../../../apis/validation/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';
import { isSame } from './merge-tolerations.ts';

const defaultSeconds = 300;

/**
 * Adds tolerations that let a pod stay for a limited time on a node that is not ready or unreachable, unless the pod
 * has its own.
 */
export function defaultTolerationSeconds({ dialect, options }: PluginSources): AdmissionPlugin {
  const { notReadyTolerationSeconds, unreachableTolerationSeconds } = options;
  const wanted = [
    { key: dialect.domain('node', 'not-ready'), seconds: notReadyTolerationSeconds ?? defaultSeconds },
    { key: dialect.domain('node', 'unreachable'), seconds: unreachableTolerationSeconds ?? defaultSeconds },
  ];
  return {
    name: 'DefaultTolerationSeconds',
    handles: onOperations('CREATE', 'UPDATE'),
    admit(attributes) {
      if (attributes.isRepeated === true) return;
      const pod = podOf(attributes);
      if (pod === undefined) return;
      const given = pod.spec.tolerations ?? [];
      const missing = wanted.filter(({ key }) => !given.some((toleration) => covers(toleration, key)));
      if (missing.length === 0) return;
      pod.spec.tolerations = [...given, ...missing.map(({ key, seconds }) => tolerate(key, seconds))];
    },
  };
}

function covers({ key, effect }: Toleration, wantedKey: string): boolean {
  return (!key || key === wantedKey) && (!effect || effect === 'NoExecute');
}

function tolerate(key: string, tolerationSeconds: number): Toleration {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds };
}

/**
 * Adds a toleration for each extended resource that a pod requests: nodes with such devices may have a taint of the
 * resource's name.
 */
export function extendedResourceToleration({ dialect }: PluginSources): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    handles: onOperations('CREATE', 'UPDATE'),
    admit(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      const names = requestedNames(pod).filter((name) => isExtendedResource(name, dialect));
      for (const key of [...new Set(names)].sort()) {
        addToleration(pod, { key, operator: 'Exists', effect: 'NoSchedule' });
      }
    },
  };
}

function requestedNames({ spec }: Pod): string[] {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
    Object.keys(resources.requests ?? {}),
  );
}

/** Replaces the toleration that matches the same taint, or adds it at the end. */
function addToleration({ spec }: Pod, added: Toleration): void {
  const tolerations = spec.tolerations ?? [];
  if (tolerations.some((given) => isSame(given, added))) return;
  const isOther = (given: Toleration) => !isSame({ ...given, tolerationSeconds: undefined }, added);
  const at = tolerations.findIndex((given) => !isOther(given));
  spec.tolerations = at < 0 ? [...tolerations, added] : tolerations.with(at, added);
}

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
