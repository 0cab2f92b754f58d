/**
 * Rules of the storage group: classes, drivers, attachments and capacities of volumes. Volumes and claims
 * themselves are in the core group.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { csiDriverRules } from './csi-driver.ts';
import { csiNodeRules } from './csi-node.ts';
import { csiStorageCapacityRules } from './csi-storage-capacity.ts';
import { storageClassRules } from './storage-class.ts';
import { volumeAttachmentRules } from './volume-attachment.ts';

/** Rules of the storage group's kinds. */
export const storageRules: KindRulesTable = {
  'storage.orch.io/v1.CSINode': csiNodeRules,
  'storage.orch.io/v1.StorageClass': storageClassRules,
  'storage.orch.io/v1.VolumeAttachment': volumeAttachmentRules,
  'storage.orch.io/v1alpha1.CSIStorageCapacity': csiStorageCapacityRules,
  'storage.orch.io/v1beta1.CSIDriver': csiDriverRules,
};
