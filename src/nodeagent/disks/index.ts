/**
 * Disks of storage networks (iSCSI, Fibre Channel, images of Ceph): brought to this node, found below `/dev`, and taken away again, as
 * release 1.20 does it. Runs `iscsiadm(8)` and `rbd(8)`, reads and writes the kernel's view of SCSI devices; formats and mounts nothing,
 * and keeps nothing of its own: what is needed to take a disk away is in the disk that was brought.
 */
export type { DiskHost } from './disk-host.ts';
export { fcDiskOf } from './fc-disk.ts';
export { type ChapAccess, iscsiDiskOf } from './iscsi-disk.ts';
export {
  attachDisk,
  type DiskAccess,
  detachDisk,
  diskMountPath,
  diskPath,
  diskQueue,
  joinDisks,
  type NetworkDisk,
  parseDisk,
} from './network-disk.ts';
export { rbdDiskOf } from './rbd-disk.ts';
