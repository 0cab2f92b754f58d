import type { Toleration } from '../../../apis/types/core-v1.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';

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
