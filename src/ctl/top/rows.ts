import { asJsonObject, asText } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';
import { addUsage, compareUsage, noUsage, readUsage, shareCells, type Usage, usageCells } from './usage.ts';

/** Rows of nodes; those without metrics come last, with nothing known. */
export function nodeRows(
  metrics: readonly WireObject[],
  nodes: readonly WireObject[],
  sortBy: string,
): readonly (readonly string[])[] {
  const totals = new Map<string, Usage>();
  for (const { metadata, status } of nodes)
    totals.set(metadata.name ?? '', readUsage(asJsonObject(status).allocatable));
  const measured = metrics
    .map(({ metadata, usage }) => ({ name: metadata.name ?? '', usage: readUsage(usage) }))
    .sort((a, b) => compareUsage(a, b, sortBy));
  const known = new Set(measured.map(({ name }) => name));
  return [
    ...measured.map(({ name, usage }) => toRow(name, usage, totals.get(name))),
    ...[...totals.keys()]
      .filter((name) => !known.has(name))
      .map((name) => [name, ...Array(4).fill('<unknown>')]),
  ];
}

function toRow(name: string, usage: Usage, total: Usage | undefined): readonly string[] {
  const [cpu, memory] = usageCells(usage);
  const [cpuShare, memoryShare] = total === undefined ? ['<unknown>', '<unknown>'] : shareCells(usage, total);
  return [name, cpu, cpuShare, memory, memoryShare];
}

/** What rows of pods show. */
interface PodRowOptions {
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
