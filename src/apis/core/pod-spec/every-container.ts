import type { Container, PodSpec } from '../../types/core-v1.ts';

/** A container of any kind and where it stands. */
export interface PlacedContainer {
  readonly container: Container;
  readonly list: 'initContainers' | 'containers' | 'ephemeralContainers';
  readonly position: number;
}

/** All containers of a pod, init containers first, ephemeral ones last. */
export function everyContainer(spec: PodSpec): PlacedContainer[] {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, position) => ({ container, list, position })),
  );
}
