import { asJsonObject, asText } from '../../base/index.ts';
import {
  addQuantities,
  integerQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityValue,
} from '../../machinery/values/index.ts';
import type { WireObject } from '../resource/api-object.ts';

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

/** What somebody uses, or what there is of it. */
interface Usage {
  readonly cpu: Quantity;
  /** Bytes. */
  readonly memory: Quantity;
}

/** No use at all. */
const noUsage: Usage = { cpu: integerQuantity(0), memory: integerQuantity(0) };

/** Reads the two amounts from a map of resources; what is missing or unreadable counts as nothing. */
function readUsage(resources: unknown): Usage {
  const { cpu, memory } = asJsonObject(resources);
  return { cpu: readAmount(cpu), memory: readAmount(memory) };
}

function readAmount(value: unknown): Quantity {
  try {
    return parseQuantity(typeof value === 'number' ? String(value) : asText(value));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return integerQuantity(0);
  }
}

/** Both together. */
function addUsage(a: Usage, b: Usage): Usage {
  return { cpu: addQuantities(a.cpu, b.cpu), memory: addQuantities(a.memory, b.memory) };
}

/** Thousandths of a core, rounded up. */
function milliCores({ cpu }: Usage): bigint {
  return quantityValue(cpu, -3);
}

/** `250m` and `2048Mi`. */
function usageCells(usage: Usage): readonly [cpu: string, memory: string] {
  return [`${milliCores(usage)}m`, `${quantityValue(usage.memory) / (1024n * 1024n)}Mi`];
}

/** Shares of what there is, in whole percent: `30%`; `<unknown>` of nothing. */
function shareCells(usage: Usage, total: Usage): readonly [cpu: string, memory: string] {
  return [
    share(milliCores(usage), milliCores(total)),
    share(quantityValue(usage.memory), quantityValue(total.memory)),
  ];
}

function share(part: bigint, whole: bigint): string {
  // In doubles, as release 1.20 does it: 290m of 1 are 28 percent.
  return whole === 0n ? '<unknown>' : `${Math.trunc((Number(part) / Number(whole)) * 100)}%`;
}

/** The order of rows: by name, or by what is used, most first. */
function compareUsage(
  a: { readonly name: string; readonly usage: Usage },
  b: { readonly name: string; readonly usage: Usage },
  sortBy: string,
): number {
  const amount = ({ usage }: { readonly usage: Usage }) =>
    sortBy === 'cpu' ? milliCores(usage) : sortBy === 'memory' ? quantityValue(usage.memory) : 0n;
  const [left, right] = [amount(a), amount(b)];
  if (left !== right) return left > right ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
