import type { Container, Pod } from '../../apis/types/core-v1.ts';
import { isExtendedResource, isHugePageName } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import type { AgentConfig } from '../options/index.ts';

/** Thousandths of CPUs, and whole units of everything else, by name of the resource. */
export type Amounts = ReadonlyMap<string, bigint>;

/** Which amounts count. */
export interface CountingRules {
  readonly features: AgentConfig['features'];
  readonly dialect: Dialect;
}

type Quantities = Readonly<Record<string, string>> | undefined;

/** One amount as release 1.20 counts it, rounded up. */
export function readAmount(name: string, quantity: string): bigint {
  return quantityValue(parseQuantity(quantity), name === 'cpu' ? -3 : 0);
}

/** The amounts of a list that nodes are filled by. */
export function readAmounts(quantities: Quantities, rules: CountingRules): Map<string, bigint> {
  const counted = Object.entries(quantities ?? {}).filter(([name]) => isCounted(name, rules));
  return new Map(counted.map(([name, quantity]) => [name, readAmount(name, quantity)]));
}

/** What a pod asks for: containers run together, init containers alone, and the overhead comes on top. */
export function podRequests({ spec }: Pick<Pod, 'spec'>, rules: CountingRules): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { resources } of spec.containers ?? []) {
    for (const [name, amount] of readAmounts(resources.requests, rules)) add(sums, name, amount);
  }
  for (const { resources } of spec.initContainers ?? []) {
    for (const [name, amount] of readAmounts(resources.requests, rules)) {
      if (amount > (sums.get(name) ?? 0n) || !sums.has(name)) sums.set(name, amount);
    }
  }
  if (rules.features.PodOverhead) {
    for (const [name, amount] of readAmounts(spec.overhead, rules)) add(sums, name, amount);
  }
  return sums;
}

/** Adds to the amount of that name. */
export function add(sums: Map<string, bigint>, name: string, amount: bigint): void {
  sums.set(name, (sums.get(name) ?? 0n) + amount);
}

/**
 * The pod without what its containers ask for of devices that the node does not know: such resources may be those of the
 * whole cluster.
 */
export function withoutUnknownDevices(pod: Pod, allocatable: Amounts, dialect: Dialect): Pod {
  const isKnown = (name: string): boolean => !isExtendedResource(name, dialect) || allocatable.has(name);
  const strip = (container: Container): Container => {
    const requests = Object.entries(container.resources.requests ?? {});
    if (requests.every(([name]) => isKnown(name))) return container;
    const known = Object.fromEntries(requests.filter(([name]) => isKnown(name)));
    return { ...container, resources: { ...container.resources, requests: known } };
  };
  const containers = pod.spec.containers ?? [];
  const stripped = containers.map(strip);
  const isSame = stripped.every((container, index) => container === containers[index]);
  return isSame ? pod : { ...pod, spec: { ...pod.spec, containers: stripped } };
}

function isCounted(name: string, { features, dialect }: CountingRules): boolean {
  if (name === 'cpu' || name === 'memory') return true;
  if (name === 'ephemeral-storage') return features.LocalStorageCapacityIsolation;
  if (isHugePageName(name) || name.startsWith('attachable-volumes-')) return true;
  return name.includes(dialect.label('')) || isExtendedResource(name, dialect);
}
