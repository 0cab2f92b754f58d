import type { PersistentVolume, PersistentVolumeClaim } from '../../apis/types/core-v1.ts';
import { type BinderState, type BinderStep, provisionedBy, provisionerOf } from './state.ts';

type Migration = Pick<BinderState, 'dialect' | 'migratedKinds'>;

/** The driver that makes and deletes volumes in place of a built-in provisioner; undefined where no gate leaves them to one. */
export const driverInPlaceOf = (
  provisioner: string | undefined,
  { dialect, migratedKinds }: Migration,
): string | undefined => migratedKinds.find(({ plugin }) => dialect.label(plugin) === provisioner)?.driver;

/**
 * Says of a volume that a built-in provisioner made which driver has taken it over, or that none has any more; undefined when it
 * says so. Source: release 1.20, `updateMigrationAnnotations`.
 */
export function markVolume(volume: PersistentVolume, migration: Migration): BinderStep | undefined {
  const annotations = marks(volume, provisionedBy(migration.dialect), migration);
  if (annotations === undefined) return undefined;
  const object = { ...volume, metadata: { ...volume.metadata, annotations } };
  return { write: { kind: 'volume', object, isStatus: false } };
}

/** The same of a claim, by who was asked to make its volume. */
export function markClaim(claim: PersistentVolumeClaim, migration: Migration): BinderStep | undefined {
  const annotations = marks(claim, provisionerOf(migration.dialect), migration);
  if (annotations === undefined) return undefined;
  const object = { ...claim, metadata: { ...claim.metadata, annotations } };
  return { write: { kind: 'claim', object, isStatus: false } };
}

function marks(
  { metadata }: PersistentVolume | PersistentVolumeClaim,
  makerKey: string,
  migration: Migration,
): Record<string, string> | undefined {
  const key = migration.dialect.domain('pv', 'migrated-to');
  const { [key]: shown, ...others } = metadata.annotations ?? {};
  const maker = others[makerKey];
  if (maker === undefined) return undefined;
  const driver = driverInPlaceOf(maker, migration);
  if (driver === shown) return undefined;
  return driver === undefined ? others : { ...others, [key]: driver };
}
