/**
 * The volumes of pods on this node: made, filled, mounted and measured, and removed when the pod has gone; paths below
 * them for single containers. Kinds: emptyDir, hostPath, configMap, secret, downwardAPI, projected, gitRepo, nfs, those of
 * third-party drivers (FlexVolume, CSI), disks of storage networks (iscsi, fc, rbd), and claims of local, hostPath, nfs, disks' and
 * drivers' persistent volumes. It formats empty devices only, speaks to no storage system itself, and decides nothing about pods.
 */
export type {
  ContainerSubPaths,
  MountContext,
  MountedVolume,
  PodVolumes,
  VolumeCount,
  VolumeOperation,
  VolumeUsage,
} from './contract.ts';
export type { CsiSettings } from './csi-loader.ts';
export type { Attacher, NodeVolumes } from './flex-devices.ts';
export type { VolumePlugins } from './flex-loader.ts';
export { createMountCommands, type MountCommands, type MountRequest } from './mount-commands.ts';
export type { MountPoint } from './mount-table.ts';
export { createNodeCheck, type NodeCheck, type NodeCheckOptions } from './node-check.ts';
export { createPodVolumes, type PodVolumesOptions } from './pod-volumes.ts';
export { type SharedRootOptions, shareRoot } from './shared-root.ts';
export { VolumeError, type VolumeEvent, type VolumeNotice } from './volume-error.ts';
