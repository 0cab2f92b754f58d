import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import type {
  FCVolumeSource,
  ISCSIPersistentVolumeSource,
  PersistentVolume,
  Volume,
} from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isMissing } from './describe-error.ts';
import { mountOptionsOf } from './mount-options.ts';

/** Kinds of volumes that are disks of storage networks. */
const diskKinds = ['iscsi', 'fc'] as const;

/** Folder of what the node has of disks of a kind. */
export const diskFolder = (rootDirectory: string, dialect: Dialect, kind: 'iscsi' | 'fc'): string =>
  posix.join(rootDirectory, 'plugins', dialect.label(kind));

/** Name of the file that keeps a disk on the node. */
export const diskFileName = 'disk.json';

/** The files that keep disks on the node. @throws Error of the file system */
export function diskFiles(rootDirectory: string, dialect: Dialect): string[] {
  return diskKinds.flatMap((kind) => {
    const folder = posix.join(diskFolder(rootDirectory, dialect, kind), 'volumeDevices');
    try {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      return names
        .filter((name) => posix.basename(name) === diskFileName)
        .map((name) => posix.join(folder, name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  });
}

/** A volume that is a disk of a storage network. */
export interface DiskSource {
  /** Of the persistent volume, or of the volume in its pod. */
  readonly name: string;
  readonly disk:
    | { readonly kind: 'iscsi'; readonly iscsi: Omit<ISCSIPersistentVolumeSource, 'secretRef'> }
    | { readonly kind: 'fc'; readonly fc: FCVolumeSource };
  /** Empty: ext4. */
  readonly fsType: string;
  readonly isBlock: boolean;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
  /** Where the secrets are that the disk's server wants to be told. */
  readonly secret: { readonly namespace: string; readonly name: string } | undefined;
}

/** The disk that a pod describes itself; its secret is in the pod's namespace. Undefined for volumes of other kinds. */
export function diskSourceOfPod({ name, iscsi, fc }: Volume, namespace: string): DiskSource | undefined {
  const common = { name, isBlock: false, mountOptions: [] };
  if (iscsi) {
    const { secretRef, fsType = '', readOnly, ...described } = iscsi;
    const secret = secretRef?.name ? { namespace, name: secretRef.name } : undefined;
    return {
      ...common,
      disk: { kind: 'iscsi', iscsi: described },
      fsType,
      isReadOnly: readOnly === true,
      secret,
    };
  }
  if (!fc) return undefined;
  const { fsType = '', readOnly } = fc;
  return { ...common, disk: { kind: 'fc', fc }, fsType, isReadOnly: readOnly === true, secret: undefined };
}

/** The disk behind a claim, which says whether it is read-only; its secret is in the pod's namespace unless it says another. */
export function diskSourceOfClaim(
  volume: PersistentVolume,
  {
    namespace,
    isReadOnly,
    dialect,
  }: { readonly namespace: string; readonly isReadOnly: boolean; readonly dialect: Dialect },
): DiskSource | undefined {
  const { iscsi, fc, volumeMode } = volume.spec;
  const common = {
    name: volume.metadata.name ?? '',
    isBlock: volumeMode === 'Block',
    isReadOnly,
    mountOptions: mountOptionsOf(volume, dialect),
  };
  if (iscsi) {
    const { secretRef, fsType = '', ...described } = iscsi;
    const place = { namespace: secretRef?.namespace || namespace, name: secretRef?.name ?? '' };
    const secret = place.name === '' ? undefined : place;
    return { ...common, disk: { kind: 'iscsi', iscsi: described }, fsType, secret };
  }
  return fc ? { ...common, disk: { kind: 'fc', fc }, fsType: fc.fsType ?? '', secret: undefined } : undefined;
}
