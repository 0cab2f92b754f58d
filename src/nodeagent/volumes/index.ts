/**
 * The volumes of pods on this node: made, filled, mounted and measured, and removed when the pod has gone; paths below
 * them for single containers. Kinds: emptyDir, hostPath, configMap, secret, downwardAPI, projected, and claims of local
 * and hostPath persistent volumes. It attaches nothing, speaks to no storage system, and decides nothing about pods.
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
export { createMountCommands, type MountCommands, type MountRequest } from './mount-commands.ts';
export type { MountPoint } from './mount-table.ts';
export { createPodVolumes, type PodVolumesOptions } from './pod-volumes.ts';
export { type SharedRootOptions, shareRoot } from './shared-root.ts';
export { VolumeError, type VolumeEvent } from './volume-error.ts';
