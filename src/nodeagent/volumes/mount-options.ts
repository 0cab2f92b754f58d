import type { PersistentVolume } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** Mount options of a persistent volume: those of its annotation or, without one, of its specification. */
export function mountOptionsOf({ metadata, spec }: PersistentVolume, dialect: Dialect): readonly string[] {
  const text = metadata.annotations?.[dialect.domain('volume.beta', 'mount-options')];
  return text === undefined ? (spec.mountOptions ?? []) : text.split(',').filter((option) => option !== '');
}

/** All of them once, in order. */
export const joinMountOptions = (...lists: readonly (readonly string[])[]): string[] =>
  [...new Set(lists.flat())].sort();
