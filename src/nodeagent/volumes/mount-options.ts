import type { PersistentVolume } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** Options that a persistent volume wants to be mounted with: those of its annotation, or else of its specification. */
export function mountOptionsOf({ metadata, spec }: PersistentVolume, dialect: Dialect): readonly string[] {
  const text = metadata.annotations?.[dialect.domain('volume.beta', 'mount-options')];
  return text === undefined ? (spec.mountOptions ?? []) : text.split(',').filter((option) => option !== '');
}

/** All of them once, in order. */
export const joinMountOptions = (...lists: readonly (readonly string[])[]): string[] =>
  [...new Set(lists.flat())].sort();
