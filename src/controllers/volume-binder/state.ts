import type { MigratedKind } from '../../apis/csi-migration/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../apis/types/core-v1.ts';
import type { StorageClass } from '../../apis/types/storage-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** What claims and volumes are decided from. */
export interface BinderState {
  readonly dialect: Dialect;
  /** Built-in kinds of volumes that gates leave to drivers. */
  readonly migratedKinds: readonly MigratedKind[];
  volume(name: string): PersistentVolume | undefined;
  volumes(): readonly PersistentVolume[];
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  storageClass(name: string): StorageClass | undefined;
  podsIn(namespace: string): readonly Pod[];
}

/** An event about the object that is decided on, or about the claim of a volume. */
export interface BinderEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly claim?: PersistentVolumeClaim | undefined;
}

/** The next write, with its event; a step without a write is the last one. */
export interface BinderStep {
  readonly write?: BinderWrite | undefined;
  readonly events?: readonly BinderEvent[] | undefined;
}

/** The object as it shall be. A status is written by itself. */
export type BinderWrite =
  | { readonly kind: 'claim'; readonly object: PersistentVolumeClaim; readonly isStatus: boolean }
  | { readonly kind: 'volume'; readonly object: PersistentVolume; readonly isStatus: boolean }
  | { readonly kind: 'deletion'; readonly object: PersistentVolume }
  /** A pod empties it; what comes of that is decided then. */
  | { readonly kind: 'recycling'; readonly object: PersistentVolume };

/** Annotations that tell how far a binding is, and who made it. */
export const bindCompleted = (dialect: Dialect): string => dialect.domain('pv', 'bind-completed');
export const boundByController = (dialect: Dialect): string => dialect.domain('pv', 'bound-by-controller');
/** Of a claim: who is asked to make its volume. */
export const provisionerOf = (dialect: Dialect): string =>
  dialect.domain('volume.beta', 'storage-provisioner');
export const provisionedBy = (dialect: Dialect): string => dialect.domain('pv', 'provisioned-by');

/** Whether a volume is promised to a claim, which may have been made later than the promise. */
export function isPromisedTo({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { claimRef } = spec;
  if (claimRef?.name !== metadata.name || claimRef?.namespace !== metadata.namespace) return false;
  return !claimRef?.uid || claimRef.uid === metadata.uid;
}

export const hasSameMode = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  (volume.spec.volumeMode ?? 'Filesystem') === (claim.spec.volumeMode ?? 'Filesystem');
