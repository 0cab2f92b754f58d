import type { Dialect } from '../../machinery/dialect.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../types/core-v1.ts';

/** The class of a claim or a volume, '' for none; an annotation of older releases comes first. */
export const storageClassName = (
  { metadata, spec }: Pick<PersistentVolume | PersistentVolumeClaim, 'metadata' | 'spec'>,
  dialect: Dialect,
): string =>
  metadata.annotations?.[dialect.domain('volume.beta', 'storage-class')] ?? spec.storageClassName ?? '';
