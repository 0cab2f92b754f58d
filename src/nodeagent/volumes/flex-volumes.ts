import { posix } from 'node:path';
import { namesIn } from '../../base/index.ts';
import { podDirectory, podsDirectory } from '../container-config/index.ts';
import { createVolumeDrivers } from '../volume-plugins/volume-drivers.ts';
import { endMounts } from './end-mounts.ts';
import { FlexDevices, removeFolder } from './flex-devices.ts';
import { findFlexVolume } from './flex-mount.ts';
import { volumeKey } from './flex-mounts.ts';
import type { FlexPlace, FlexState, FlexVolumesOptions } from './flex-state.ts';
import { isMountPoint } from './mount-commands.ts';
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

/** Has drivers unmount what they have mounted for a pod, found by its folders. @throws Error */
async function unmountFlexVolumes(state: FlexState, podUid: string): Promise<void> {
  const podDir = podDirectory(state.rootDirectory, podUid);
  // Paths below volumes keep their file systems busy.
  await endMounts(posix.join(podDir, 'volume-subpaths'), state.mount);
  const volumesFolder = posix.join(podDir, 'volumes');
  for (const plugin of await namesIn(volumesFolder)) {
    const driver = await state.drivers.find(plugin.replaceAll('~', '/'));
    if (driver === undefined) continue;
    for (const name of await namesIn(posix.join(volumesFolder, plugin))) {
      const place = { driver, name, folder: posix.join(volumesFolder, plugin, name) };
      await state.queues.run(volumeKey(driver.name, name), () =>
        unmountOne(state, place, { podUid, plugin }),
      );
    }
  }
}

interface PodPlace {
  readonly podUid: string;
  /** Name of the driver's folder. */
  readonly plugin: string;
}

async function unmountOne(
  state: FlexState,
  { driver, name, folder }: FlexPlace,
  at: PodPlace,
): Promise<void> {
  const { mount, ready, named, devices } = state;
  // Some drivers fail when they are to unmount what they have never mounted.
  const isMade =
    (await isMountPoint(mount, folder)) || ready.has(folder) || (await namesIn(folder)).length > 0;
  if (isMade) {
    if ((await driver.call('unmount', [folder])) === undefined) await endMounts(folder, mount);
    if (await isMountPoint(mount, folder)) throw new Error(`unmount left ${folder} mounted`);
  }
  ready.delete(folder);
  // The folder is removed last: an agent that is killed before that finds it and tries again.
  if (driver.capabilities.attach && !(await isUsedByOthers(state, name, at))) {
    await devices.release(driver, name);
  }
  named.delete(folder);
  await removeFolder(folder).catch(() => undefined); // files of drivers that mount nothing go with the pod's folder
}

async function isUsedByOthers(
  state: FlexState,
  name: string,
  { podUid, plugin }: PodPlace,
): Promise<boolean> {
  const podsFolder = podsDirectory(state.rootDirectory);
  for (const other of await namesIn(podsFolder)) {
    if (other === podUid) continue;
    if ((await namesIn(posix.join(podsFolder, other, 'volumes', plugin))).includes(name)) return true;
  }
  return false;
}
