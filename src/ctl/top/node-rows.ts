import { asJsonObject } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';
import { compareUsage, readUsage, shareCells, type Usage, usageCells } from './usage.ts';

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
