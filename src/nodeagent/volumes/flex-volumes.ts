import { createVolumeDrivers } from '../volume-plugins/volume-drivers.ts';
import { FlexDevices } from './flex-devices.ts';
import { findFlexVolume } from './flex-mount.ts';
import type { FlexState, FlexVolumesOptions } from './flex-state.ts';
import { unmountFlexVolumes } from './flex-unmount.ts';
import { createPodQueues } from './pod-queues.ts';
import type { FlexVolumes } from './volume-tools.ts';

/** Nothing is called before the first question. */
export function createFlexVolumes(options: FlexVolumesOptions): FlexVolumes {
  const state: FlexState = {
    ...options,
    drivers: createVolumeDrivers({ folder: options.pluginFolder, logger: options.logger }),
    devices: new FlexDevices(options),
    queues: createPodQueues(),
    ready: new Set(),
    named: new Set(),
  };
  return {
    find: (job, source) => findFlexVolume(state, job, source),
    unmountPod: (podUid) => unmountFlexVolumes(state, podUid),
  };
}
