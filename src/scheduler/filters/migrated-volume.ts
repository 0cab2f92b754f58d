import { kindOf, type MigratedKind, translatePersistentVolume } from '../../apis/csi-migration/index.ts';
import type { PersistentVolume } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/**
 * A volume of one of these built-in kinds as its driver knows it; undefined for any other, and for one whose names make no sense:
 * pods that use it are told so on their node.
 */
export function migratedVolume(
  volume: PersistentVolume,
  among: readonly MigratedKind[],
  dialect: Dialect,
): PersistentVolume | undefined {
  const kind = kindOf(volume.spec, among);
  try {
    return kind && translatePersistentVolume(volume, kind, dialect);
  } catch {
    return undefined; // said above
  }
}
