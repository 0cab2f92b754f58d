import type { Dialect } from '../../../machinery/dialect.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../types/core-v1.ts';
import type { ObjectMeta } from '../../types/meta-v1.ts';
import type { CSINode, StorageClass, VolumeAttachment } from '../../types/storage-v1.ts';
import type { CSIDriver } from '../../types/storage-v1beta1.ts';
import { ageSince } from '../age.ts';
import { formatAccessModes, orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

const unset = '<unset>';

/** Rows of volumes. */
export const persistentVolumePrinter: RowPrinter<PersistentVolume> = {
  cells: ({ metadata, spec, status }, { nowMs, dialect }) => [
    metadata.name ?? '',
    spec.capacity?.storage ?? '0',
    formatAccessModes(spec.accessModes),
    spec.persistentVolumeReclaimPolicy ?? '',
    phaseOf(metadata, status.phase),
    spec.claimRef === undefined ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
    classOf(metadata, spec.storageClassName, dialect),
    status.reason ?? '',
    ageSince(metadata.creationTimestamp, nowMs),
    spec.volumeMode ?? unset,
  ],
};

/** Rows of claims. Size and modes are those of the volume, so they are empty until there is one. */
export const persistentVolumeClaimPrinter: RowPrinter<PersistentVolumeClaim> = {
  cells({ metadata, spec, status }, { nowMs, dialect }) {
    const isBound = spec.volumeName !== undefined && spec.volumeName !== '';
    return [
      metadata.name ?? '',
      phaseOf(metadata, status.phase),
      spec.volumeName ?? '',
      isBound ? (status.capacity?.storage ?? '0') : '',
      isBound ? formatAccessModes(status.accessModes) : '',
      classOf(metadata, spec.storageClassName, dialect),
      ageSince(metadata.creationTimestamp, nowMs),
      spec.volumeMode ?? unset,
    ];
  },
};

function phaseOf(metadata: ObjectMeta, phase: string | undefined): string {
  const isDeleting = metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp !== null;
  return isDeleting ? 'Terminating' : (phase ?? '');
}

/** The annotation is older than the field and wins. */
function classOf(metadata: ObjectMeta, name: string | undefined, dialect: Dialect): string {
  return metadata.annotations?.[dialect.spell('volume.beta.orch.io/storage-class')] ?? name ?? '';
}

/** Rows of storage classes. */
export const storageClassPrinter: RowPrinter<StorageClass> = {
  cells: (storageClass, { nowMs, dialect }) => [
    `${storageClass.metadata.name ?? ''}${isDefaultClass(storageClass.metadata, dialect) ? ' (default)' : ''}`,
    storageClass.provisioner,
    storageClass.reclaimPolicy ?? 'Delete',
    storageClass.volumeBindingMode ?? 'Immediate',
    storageClass.allowVolumeExpansion ?? false,
    ageSince(storageClass.metadata.creationTimestamp, nowMs),
  ],
};

function isDefaultClass({ annotations = {} }: ObjectMeta, dialect: Dialect): boolean {
  return (
    annotations[dialect.spell('storageclass.orch.io/is-default-class')] === 'true' ||
    annotations[dialect.spell('storageclass.beta.orch.io/is-default-class')] === 'true'
  );
}

/** Rows of volume attachments. */
export const volumeAttachmentPrinter: RowPrinter<VolumeAttachment> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    spec.attacher,
    spec.source.persistentVolumeName ?? '',
    spec.nodeName,
    status.attached,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of storage drivers. */
export const csiDriverPrinter: RowPrinter<CSIDriver> = {
  cells: ({ metadata, spec }, { nowMs }) => [
    metadata.name ?? '',
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? unset,
    spec.requiresRepublish ?? false,
    orNone((spec.volumeLifecycleModes ?? []).join(',')),
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

/** Rows of the drivers of a node. */
export const csiNodePrinter: RowPrinter<CSINode> = {
  cells: ({ metadata, spec }, { nowMs }) => [
    metadata.name ?? '',
    spec.drivers?.length ?? 0,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};
