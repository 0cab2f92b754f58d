import { everyContainer } from '../../apis/core/pod-spec/index.ts';
import type { Container, Pod } from '../../apis/types/core-v1.ts';

/** A container of a pod, and where in it it is. */
export interface FoundContainer {
  readonly container: Container;
  readonly list: 'containers' | 'initContainers' | 'ephemeralContainers';
}

/** Looks a container of any kind up by name. */
export function findContainer({ spec }: Pod, name: string): FoundContainer | undefined {
  return everyContainer(spec).find(({ container }) => container.name === name);
}
