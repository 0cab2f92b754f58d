/**
 * Third-party drivers of volumes: programs below a folder, found when they are asked for, called with a command and its
 * arguments, answering with JSON. Knows how drivers are called and what they answer; mounts nothing, and keeps nothing
 * of volumes.
 */
export type { DriverCommand, VolumeDriver, VolumeDrivers } from './contract.ts';
export { type DriverAnswer, type DriverCapabilities, DriverError } from './driver-answer.ts';
export { type DriverOptionsInput, driverOptions, redactSecrets } from './driver-options.ts';
export { createVolumeDrivers, type VolumeDriversOptions } from './volume-drivers.ts';
