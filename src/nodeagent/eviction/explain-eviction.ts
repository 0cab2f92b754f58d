import type { Pod } from '../../apis/types/core-v1.ts';
import { compareQuantities, formatQuantity, integerQuantity } from '../../machinery/values/index.ts';
import { amountOf, zeroQuantity } from './pod-amounts.ts';
import type { ContainerUsage, PodUsage } from './pod-usage.ts';

/** Why a pod was evicted, for people and for programs. */
export interface EvictionReason {
  readonly message: string;
  /** Of the event; none when nobody measured the pod. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Says what the node lacks, and which containers use more of it than they asked for. */
export function explainEviction(pod: Pod, usage: PodUsage | undefined, resource: string): EvictionReason {
  const start = `The node was low on resource: ${resource}. `;
  if (usage === undefined) return { message: start, annotations: {} };
  const excesses = usage.containers.flatMap((container) => excessOf(pod, container, resource) ?? []);
  const parts = excesses.map(
    ({ name, used, asked }) => `Container ${name} was using ${used}, which exceeds its request of ${asked}. `,
  );
  const annotations = {
    offending_containers: excesses.map(({ name }) => name).join(','),
    offending_containers_usage: excesses.map(({ used }) => used).join(','),
    starved_resource: resource,
  };
  return { message: start + parts.join(''), annotations };
}

/** A container that uses more than it asked for, with both amounts. */
interface Excess {
  readonly name: string;
  readonly used: string;
  readonly asked: string;
}

function excessOf(pod: Pod, usage: ContainerUsage, resource: string): Excess | undefined {
  const container = pod.spec.containers?.find(({ name }) => name === usage.name);
  const usedBytes = usedOf(usage, resource);
  if (container === undefined || usedBytes === undefined) return undefined;
  const used = integerQuantity(usedBytes, 'BinarySI');
  const asked = amountOf(container.resources.requests, resource) ?? zeroQuantity;
  if (compareQuantities(used, asked) <= 0) return undefined;
  return { name: usage.name, used: formatQuantity(used), asked: formatQuantity(asked) };
}

function usedOf({ memoryBytes, writableLayer, logs }: ContainerUsage, resource: string): number | undefined {
  if (resource === 'memory') return memoryBytes;
  if (resource !== 'ephemeral-storage' || writableLayer === undefined || logs === undefined) return undefined;
  return writableLayer.usedBytes + logs.usedBytes;
}
