import { describeWrites } from '../write-cases.ts';
import { csiDriverWrites } from './csi-driver-writes.ts';
import { csiNodeWrites } from './csi-node-writes.ts';
import { storageClassWrites } from './storage-class-writes.ts';
import { volumeAttachmentWrites } from './volume-attachment-writes.ts';

describeWrites('kindRules of csi drivers', csiDriverWrites);
describeWrites('kindRules of csi nodes', csiNodeWrites);
describeWrites('kindRules of storage classes', storageClassWrites);
describeWrites('kindRules of volume attachments', volumeAttachmentWrites);
