/**
 * Devices of vendors: plugins register at a socket and list their devices; pods that ask for them are given some, near to
 * their CPUs where that is asked for, and the node shows how many there are. Who has which is kept on disk and told to
 * programs of the machine. After the device manager of release 1.20. It makes no containers: what these need for their
 * devices are `DeviceAdditions`.
 */
export type { DeviceCheckpoint, HeldDevices } from './checkpoint.ts';
export { formatCheckpoint, parseCheckpoint } from './checkpoint.ts';
export {
  type DeviceCounts,
  DeviceManager,
  type DeviceManagerOptions,
  type DeviceRefusal,
} from './device-manager.ts';
export type { HintList } from './device-requests.ts';
export { type PodResourcesOptions, startPodResources } from './pod-resources-server.ts';
