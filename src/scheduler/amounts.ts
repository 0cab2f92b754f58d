import type { Container } from '../apis/types/core-v1.ts';
import { parseQuantity, quantityValue } from '../machinery/values/index.ts';

/** Thousandths of CPUs and whole units of everything else, by name of the resource. Exact up to 2^53. */
export type Amounts = ReadonlyMap<string, number>;

type Quantities = Readonly<Record<string, string>> | undefined;

/** Texts that were read before; workloads repeat few of them. */
const known = new Map<string, number>();
const maxKnown = 10_000;

/** One amount as release 1.20 counts it, rounded up. */
export function readAmount(name: string, text: string): number {
  const key = name === 'cpu' ? `c${text}` : text;
  let amount = known.get(key);
  if (amount === undefined) {
    amount = Number(quantityValue(parseQuantity(text), name === 'cpu' ? -3 : 0));
    if (known.size >= maxKnown) known.clear();
    known.set(key, amount);
  }
  return amount;
}

/** The amounts of a list that nodes are filled by. */
export function readAmounts(quantities: Quantities): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const name in quantities) {
    if (isCounted(name)) amounts.set(name, readAmount(name, quantities[name] ?? '0'));
  }
  return amounts;
}

const isCounted = (name: string): boolean =>
  name === 'cpu' ||
  name === 'memory' ||
  name === 'ephemeral-storage' ||
  name.includes('/') ||
  name.startsWith('hugepages-') ||
  name.startsWith('attachable-volumes-');

/** Containers run together, init containers one by one before them, and the overhead comes on top. */
export function podAmounts(spec: PodAmountsSource): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { resources } of spec.containers ?? []) {
    for (const [name, amount] of readAmounts(resources.requests)) addAmount(sums, name, amount);
  }
  for (const { resources } of spec.initContainers ?? []) {
    for (const [name, amount] of readAmounts(resources.requests)) {
      if (amount > (sums.get(name) ?? 0)) sums.set(name, amount);
    }
  }
  for (const [name, amount] of readAmounts(spec.overhead)) addAmount(sums, name, amount);
  return sums;
}

/** The parts of a pod's specification that say what it asks for. */
export interface PodAmountsSource {
  readonly containers?: readonly Pick<Container, 'resources'>[] | null | undefined;
  readonly initContainers?: readonly Pick<Container, 'resources'>[] | undefined;
  readonly overhead?: Readonly<Record<string, string>> | undefined;
}

/** What scores count for a container that asks for nothing. Source: release 1.20, `util/non_zero.go`. */
const least = { cpu: 100, memory: 200 * 1024 * 1024 };

/**
 * CPU and memory of a pod where no container asks for none of it. Of a pod that has no place yet release 1.20 counts the overhead in
 * whole CPUs, as if these were thousandths.
 */
export function scoredAmounts(
  spec: PodAmountsSource,
  { isPlaced }: { readonly isPlaced: boolean },
): { readonly cpu: number; readonly memory: number } {
  const total = { cpu: 0, memory: 0 };
  for (const name of ['cpu', 'memory'] as const) {
    const of = ({ resources }: Pick<Container, 'resources'>): number => {
      const text = resources.requests?.[name];
      return text === undefined ? least[name] : readAmount(name, text);
    };
    for (const container of spec.containers ?? []) total[name] += of(container);
    for (const container of spec.initContainers ?? []) total[name] = Math.max(total[name], of(container));
    const overhead = spec.overhead?.[name];
    if (overhead !== undefined) total[name] += readAmount(isPlaced ? name : '', overhead);
  }
  return total;
}

/** Adds to the amount of that name. */
export function addAmount(sums: Map<string, number>, name: string, amount: number): void {
  sums.set(name, (sums.get(name) ?? 0) + amount);
}
