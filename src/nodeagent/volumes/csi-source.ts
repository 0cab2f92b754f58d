import { createHash } from 'node:crypto';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../apis/types/core-v1.ts';
import type { TextMap } from '../csi/index.ts';

/** Where a secret is. */
export interface SecretPlace {
  readonly namespace: string;
  readonly name: string;
}

/** A volume of a driver of the container storage interface. */
export interface CsiSource {
  /** Of the persistent volume, or of the volume in its pod. */
  readonly name: string;
  readonly driver: string;
  /** The volume's name for its driver. */
  readonly handle: string;
  /** Ephemeral: described in the pod, and gone with it. */
  readonly lifecycle: 'Persistent' | 'Ephemeral';
  readonly isBlock: boolean;
  readonly isReadOnly: boolean;
  readonly fsType: string;
  readonly attributes: TextMap;
  readonly accessModes: readonly string[] | undefined;
  readonly mountOptions: readonly string[];
  readonly stageSecret: SecretPlace | undefined;
  readonly publishSecret: SecretPlace | undefined;
  /** Behind a persistent volume; what grows it is read from both. */
  readonly claimed?: { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume } | undefined;
}

const hash = (text: string): string => `csi-${createHash('sha256').update(text).digest('hex')}`;

/** Name of the VolumeAttachment of a volume on a node (release 1.20). */
export const attachmentName = ({ handle, driver }: CsiSource, nodeName: string): string =>
  hash(`${handle}${driver}${nodeName}`);

/** A volume of a driver as the node's status names it (release 1.20). */
export const csiVolumeKey = (plugin: string, driver: string, handle: string): string =>
  `${plugin}/${driver}^${handle}`;

/** The driver's volume that a pod describes itself; undefined when it is of another kind. */
export function csiSourceOfPod({ name, csi }: Volume, { metadata }: Pod): CsiSource | undefined {
  if (!csi) return undefined;
  const { namespace = '', uid = '' } = metadata;
  const secretName = csi.nodePublishSecretRef?.name ?? '';
  return {
    name,
    driver: csi.driver,
    handle: hash(`${uid}${name}`),
    lifecycle: 'Ephemeral',
    isBlock: false,
    isReadOnly: csi.readOnly === true,
    fsType: csi.fsType ?? '',
    attributes: csi.volumeAttributes ?? {},
    accessModes: undefined,
    mountOptions: [],
    stageSecret: undefined,
    publishSecret: secretName === '' ? undefined : { namespace, name: secretName },
  };
}

/** The driver's volume behind a claim, which says whether it is read-only; without a claim a pod describes it by itself. */
export function csiSourceOfClaim(
  volume: PersistentVolume,
  { claim, isReadOnly }: { readonly claim?: PersistentVolumeClaim; readonly isReadOnly: boolean },
): CsiSource | undefined {
  const { csi, accessModes, volumeMode, mountOptions } = volume.spec;
  if (!csi) return undefined;
  const place = (reference: { namespace?: string | undefined; name?: string | undefined } | undefined) =>
    reference && { namespace: reference.namespace ?? '', name: reference.name ?? '' };
  return {
    name: volume.metadata.name ?? '',
    driver: csi.driver,
    handle: csi.volumeHandle,
    lifecycle: 'Persistent',
    isBlock: volumeMode === 'Block',
    isReadOnly: isReadOnly || csi.readOnly === true,
    fsType: csi.fsType ?? '',
    attributes: csi.volumeAttributes ?? {},
    accessModes,
    mountOptions: mountOptions ?? [],
    stageSecret: place(csi.nodeStageSecretRef),
    publishSecret: place(csi.nodePublishSecretRef),
    claimed: claim && { claim, volume },
  };
}
