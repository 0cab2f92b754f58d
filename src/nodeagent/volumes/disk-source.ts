import type {
  FCVolumeSource,
  ISCSIPersistentVolumeSource,
  PersistentVolume,
  PersistentVolumeSpec,
  RBDPersistentVolumeSource,
  Volume,
} from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { SecretPlace } from './csi-source.ts';
import { mountOptionsOf } from './mount-options.ts';

/** What a volume says of its disk. */
type DescribedDisk =
  | { readonly kind: 'iscsi'; readonly iscsi: Omit<ISCSIPersistentVolumeSource, 'secretRef'> }
  | { readonly kind: 'fc'; readonly fc: FCVolumeSource }
  | {
      readonly kind: 'rbd';
      readonly rbd: Omit<RBDPersistentVolumeSource, 'secretRef'>;
      /** All nodes that may have it only read. */
      readonly isShared: boolean;
    };

/** A volume that is a disk of a storage network. */
export interface DiskSource {
  /** Of the persistent volume, or of the volume in its pod. */
  readonly name: string;
  readonly disk: DescribedDisk;
  /** Empty: ext4. */
  readonly fsType: string;
  readonly isBlock: boolean;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
  /** Where the secrets are that the disk's server wants to be told. */
  readonly secret: SecretPlace | undefined;
}

/** The disk that a pod describes itself; its secret is in the pod's namespace. Undefined for volumes of other kinds. */
export function diskSourceOfPod({ name, iscsi, fc, rbd }: Volume, namespace: string): DiskSource | undefined {
  const found = describeSource({ iscsi, fc, rbd }, false);
  if (found === undefined) return undefined;
  const { readOnly, secretRef, ...described } = found;
  const secret = secretRef?.name ? { namespace, name: secretRef.name } : undefined;
  return { name, ...described, isBlock: false, isReadOnly: readOnly === true, mountOptions: [], secret };
}

/** What a claim adds to a persistent volume. */
interface ClaimFacts {
  readonly namespace: string;
  readonly isReadOnly: boolean;
  readonly dialect: Dialect;
}

/** The disk behind a claim, which says whether it is read-only; its secret is in the pod's namespace unless it says another. */
export function diskSourceOfClaim(
  volume: PersistentVolume,
  { namespace, isReadOnly, dialect }: ClaimFacts,
): DiskSource | undefined {
  const { volumeMode, accessModes = [] } = volume.spec;
  const found = describeSource(volume.spec, accessModes.length === 1 && accessModes[0] === 'ReadOnlyMany');
  if (found === undefined) return undefined;
  const { readOnly: _ofClaim, secretRef, ...described } = found;
  const { name: secretName = '', namespace: ofSecret } = secretRef ?? {};
  return {
    name: volume.metadata.name ?? '',
    ...described,
    isBlock: volumeMode === 'Block',
    isReadOnly,
    mountOptions: mountOptionsOf(volume, dialect),
    secret: secretName === '' ? undefined : { namespace: ofSecret || namespace, name: secretName },
  };
}

/** What sources of all three kinds say. */
interface DescribedSource {
  readonly disk: DescribedDisk;
  readonly fsType: string;
  readonly readOnly: boolean | undefined;
  readonly secretRef:
    | { readonly name?: string | undefined; readonly namespace?: string | undefined }
    | undefined;
}

function describeSource(
  { iscsi, fc, rbd }: Pick<PersistentVolumeSpec, 'iscsi' | 'fc' | 'rbd'>,
  isShared: boolean,
): DescribedSource | undefined {
  if (iscsi) {
    const { secretRef, fsType = '', readOnly, ...described } = iscsi;
    return { disk: { kind: 'iscsi', iscsi: described }, fsType, readOnly, secretRef };
  }
  if (rbd) {
    const { secretRef, fsType = '', readOnly, ...described } = rbd;
    return { disk: { kind: 'rbd', rbd: described, isShared }, fsType, readOnly, secretRef };
  }
  if (!fc) return undefined;
  const { fsType = '', readOnly, ...described } = fc;
  return { disk: { kind: 'fc', fc: described }, fsType, readOnly, secretRef: undefined };
}
