import { podQosClass } from '../../apis/core/index.ts';
import type { Container, Pod } from '../../apis/types/core-v1.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';

/** Containers of a pod in the order in which they are given CPUs. */
export function containersOf({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
}

/** How many CPUs a container is to have for itself: those of whole requests in pods of class Guaranteed. */
export function exclusiveCount({ spec }: Pick<Pod, 'spec'>, { resources }: Container): number {
  if (podQosClass(spec) !== 'Guaranteed') return 0;
  const text = resources.requests?.cpu;
  if (text === undefined) return 0;
  const millis = quantityValue(parseQuantity(text), -3);
  return millis % 1000n === 0n ? Number(millis / 1000n) : 0;
}

/** The same for a whole pod: its containers run together, its init containers alone. */
export function podExclusiveCount(pod: Pod): number {
  const counts = (list: readonly Container[] | null | undefined): number[] =>
    (list ?? []).map((container) => exclusiveCount(pod, container));
  const together = counts(pod.spec.containers).reduce((sum, count) => sum + count, 0);
  return Math.max(together, ...counts(pod.spec.initContainers));
}
