import { type Amounts, add } from './resource-amounts.ts';

/** A resource that the node has too little of. */
export interface Shortage {
  readonly resource: string;
  readonly requested: bigint;
  readonly used: bigint;
  readonly capacity: bigint;
}

/** What a node has and what is taken of it. */
export interface NodeFilling {
  readonly allocatable: Amounts;
  /** What each pod that is there has asked for. */
  readonly taken: readonly Amounts[];
  readonly maxPods: bigint;
}

const alwaysCompared = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** What is missing for a pod with these requests, in release 1.20's order; nothing when it fits. */
export function findShortages(requests: Amounts, { allocatable, taken, maxPods }: NodeFilling): Shortage[] {
  const shortages: Shortage[] = [];
  const compare = (resource: string, requested: bigint, used: bigint, capacity: bigint): void => {
    if (capacity < requested + used) shortages.push({ resource, requested, used, capacity });
  };
  compare('pods', 1n, BigInt(taken.length), maxPods);
  if (asksForNothing(requests)) return shortages;
  const used = sumUp(taken);
  const others = [...requests.keys()].filter((name) => !isAlwaysCompared(name));
  for (const name of [...alwaysCompared, ...others]) {
    compare(name, requests.get(name) ?? 0n, used.get(name) ?? 0n, allocatable.get(name) ?? 0n);
  }
  return shortages;
}

/** Whatever is taken of a node, a pod fits that asks for nothing. */
function asksForNothing(requests: Amounts): boolean {
  return [...requests].every(([name, amount]) => isAlwaysCompared(name) && amount === 0n);
}

const isAlwaysCompared = (name: string): boolean => alwaysCompared.some((each) => each === name);

function sumUp(taken: readonly Amounts[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const amounts of taken) for (const [name, amount] of amounts) add(sums, name, amount);
  return sums;
}
