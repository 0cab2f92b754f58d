import { asJsonObject, asText } from '../../base/index.ts';
import {
  addQuantities,
  integerQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityValue,
} from '../../machinery/values/index.ts';

/** What somebody uses, or what there is of it. */
export interface Usage {
  readonly cpu: Quantity;
  /** Bytes. */
  readonly memory: Quantity;
}

/** No use at all. */
export const noUsage: Usage = { cpu: integerQuantity(0), memory: integerQuantity(0) };

/** Reads the two amounts from a map of resources; what is missing or unreadable counts as nothing. */
export function readUsage(resources: unknown): Usage {
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
export function addUsage(a: Usage, b: Usage): Usage {
  return { cpu: addQuantities(a.cpu, b.cpu), memory: addQuantities(a.memory, b.memory) };
}

/** Thousandths of a core, rounded up. */
function milliCores({ cpu }: Usage): bigint {
  return quantityValue(cpu, -3);
}

/** `250m` and `2048Mi`. */
export function usageCells(usage: Usage): readonly [cpu: string, memory: string] {
  return [`${milliCores(usage)}m`, `${quantityValue(usage.memory) / (1024n * 1024n)}Mi`];
}

/** Shares of what there is, in whole percent: `30%`; `<unknown>` of nothing. */
export function shareCells(usage: Usage, total: Usage): readonly [cpu: string, memory: string] {
  return [
    share(milliCores(usage), milliCores(total)),
    share(quantityValue(usage.memory), quantityValue(total.memory)),
  ];
}

function share(part: bigint, whole: bigint): string {
  return whole === 0n ? '<unknown>' : `${(part * 100n) / whole}%`;
}

/** The order of rows: by name, or by what is used, most first. */
export function compareUsage(
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
