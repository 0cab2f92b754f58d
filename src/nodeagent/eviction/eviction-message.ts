import type { Pod } from '../../apis/types/core-v1.ts';
import { compareQuantities, formatQuantity, integerQuantity } from '../../machinery/values/index.ts';
import { amountOf, zeroQuantity } from './pod-amounts.ts';
import type { ContainerUsage, PodUsage } from './pod-usage.ts';

/** Why a pod was evicted: what the node lacks, and which containers use more of it than they asked for. */
export function evictionMessage(pod: Pod, usage: PodUsage | undefined, resource: string): string {
  const parts = (usage?.containers ?? []).map((container) => containerPart(pod, container, resource));
  return `The node was low on resource: ${resource}. ${parts.join('')}`;
}

function containerPart(pod: Pod, usage: ContainerUsage, resource: string): string {
  const container = pod.spec.containers?.find(({ name }) => name === usage.name);
  const usedBytes = usedOf(usage, resource);
  if (container === undefined || usedBytes === undefined) return '';
  const used = integerQuantity(usedBytes, 'BinarySI');
  const asked = amountOf(container.resources.requests, resource) ?? zeroQuantity;
  if (compareQuantities(used, asked) <= 0) return '';
  return `Container ${usage.name} was using ${formatQuantity(used)}, which exceeds its request of ${formatQuantity(asked)}. `;
}

function usedOf({ memoryBytes, writableLayer, logs }: ContainerUsage, resource: string): number | undefined {
  if (resource === 'memory') return memoryBytes;
  if (resource !== 'ephemeral-storage' || writableLayer === undefined || logs === undefined) return undefined;
  return writableLayer.usedBytes + logs.usedBytes;
}
