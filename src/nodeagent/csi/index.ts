/**
 * Drivers of the container storage interface (CSI, version 1): taken into use when they register, shown in the API
 * server, and called over gRPC. Knows how drivers are called; mounts nothing, and keeps nothing of volumes.
 */
export type { CsiDriver } from './csi-driver.ts';
export { CsiDrivers, type CsiDriversOptions } from './csi-drivers.ts';
export { CsiNode, type CsiNodeOptions, type DriverNodeInfo } from './csi-node.ts';
export type { ExpandRequest, PublishRequest, StageRequest, TextMap, VolumeCapability } from './messages.ts';
