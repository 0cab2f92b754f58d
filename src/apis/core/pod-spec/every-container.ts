import type { Container, PodSpec } from '../../types/core-v1.ts';

/** A container of any kind and where it stands. */
export interface PlacedContainer {
  readonly container: Container;
  readonly list: 'initContainers' | 'containers' | 'ephemeralContainers';
  readonly position: number;
}

/** All containers of a pod, init containers first, ephemeral ones last. */
export function everyContainer(spec: PodSpec): PlacedContainer[] {
  const placed: PlacedContainer[] = [];
  for (const list of lists) {
    const containers = spec[list] ?? [];
    let position = 0;
    for (const container of containers) placed.push({ container, list, position: position++ });
  }
  return placed;
}

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
