import { asJsonObject, asText } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';
import { addUsage, compareUsage, noUsage, readUsage, usageCells } from './usage.ts';

/** What rows of pods show. */
export interface PodRowOptions {
  readonly showsNamespace: boolean;
  /** A row for each container instead of one for the pod. */
  readonly showsContainers: boolean;
  /** `cpu`, `memory`, or empty for names. */
  readonly sortBy: string;
}

/** Rows of pods, or of their containers. */
export function podRows(
  metrics: readonly WireObject[],
  { showsNamespace, showsContainers, sortBy }: PodRowOptions,
): readonly (readonly string[])[] {
  return metrics
    .map((pod) => {
      const containers = readContainers(pod);
      const usage = containers.map((one) => one.usage).reduce(addUsage, noUsage);
      const { namespace = '', name: podName = '' } = pod.metadata;
      return { name: `${namespace}/${podName}`, namespace, podName, usage, containers };
    })
    .sort((a, b) => compareUsage(a, b, sortBy))
    .flatMap(({ namespace, podName, usage, containers }) => {
      const lead = showsNamespace ? [namespace] : [];
      if (!showsContainers) return [[...lead, podName, ...usageCells(usage)]];
      return containers
        .sort((a, b) => compareUsage(a, b, sortBy))
        .map((one) => [...lead, podName, one.name, ...usageCells(one.usage)]);
    });
}

function readContainers({ containers }: WireObject) {
  const rows = Array.isArray(containers) ? containers.map(asJsonObject) : [];
  return rows.map(({ name, usage }) => ({ name: asText(name), usage: readUsage(usage) }));
}
