import { mkdir } from 'node:fs/promises';
import { volumeDirectory } from '../container-config/index.ts';
import type { VolumeDriver } from '../volume-plugins/contract.ts';
import { driverOptions } from '../volume-plugins/driver-options.ts';
import { describeError } from './describe-error.ts';
import { endMounts } from './end-mounts.ts';
import { volumeKey } from './flex-mounts.ts';
import { flexOptionsOfPod } from './flex-pod-options.ts';
import type { FlexSource } from './flex-source.ts';
import type { FlexPlace, FlexState } from './flex-state.ts';
import { isMountPoint } from './mount-commands.ts';
import { setOwnership } from './ownership.ts';
import { type FoundVolume, groupOf, type MadeVolume, type VolumeJob } from './volume-tools.ts';

/** The volume of a driver; undefined when there is no such driver. @throws Error with release 1.20's message */
export async function findFlexVolume(
  state: FlexState,
  job: VolumeJob,
  source: FlexSource,
): Promise<FoundVolume | undefined> {
  const { name } = source;
  const driver = await state.drivers.find(source.driver);
  if (driver === undefined) return undefined;
  const folder = volumeDirectory(job.podDir, driver.name, name);
  if (driver.capabilities.attach && !state.named.has(folder)) await checkName(state, driver, source);
  state.named.add(folder);
  const place = { driver, name, folder };
  const make = () =>
    state.queues.run(volumeKey(driver.name, name), () => makeOne(state, place, { job, source }));
  return { name, plugin: driver.name, make };
}

/**
 * Drivers may refuse a volume in their answer to `getvolumename`; as in release 1.20, the name that they give is not
 * used.
 */
async function checkName({ dialect }: FlexState, driver: VolumeDriver, source: FlexSource): Promise<void> {
  const { name } = source;
  try {
    await driver.call('getvolumename', [driverOptions(dialect, { ...source, volumeName: name })]);
  } catch (cause) {
    const inner = `failed to GetVolumeName from volumePlugin for volumeSpec "${name}" err=${describeError(cause)}`;
    const what = `volumeSpec "${name}" using volume plugin "${driver.name}"`;
    throw new Error(`failed to GetUniqueVolumeNameFromSpec for ${what} err=${inner}`, { cause });
  }
}

interface Wanted {
  readonly job: VolumeJob;
  readonly source: FlexSource;
}

async function makeOne(state: FlexState, place: FlexPlace, desired: Wanted): Promise<MadeVolume> {
  const { driver, name, folder } = place;
  const { attach, selinuxRelabel, supportsMetrics } = driver.capabilities;
  const { isReadOnly } = desired.source;
  // The folder records that the pod uses the device, also for an agent that starts later.
  await mkdir(folder, { recursive: true, mode: 0o750 });
  if (attach) state.used.add(volumeKey(driver.name, name));
  if (!state.ready.has(folder) && !(await isMountPoint(state.mount, folder))) {
    if (attach) await state.devices.ensure(driver, desired.source);
    await mountOne(state, place, desired);
    await setGroup(state, place, desired);
  }
  state.ready.add(folder);
  return {
    path: folder,
    isReadOnly,
    needsSelinuxLabel: selinuxRelabel && !isReadOnly,
    measuredBy: supportsMetrics ? 'file-system' : undefined,
  };
}

async function mountOne(
  state: FlexState,
  { driver, folder, name }: FlexPlace,
  desired: Wanted,
): Promise<void> {
  const { mount, devices } = state;
  const { json, secrets } = await flexOptionsOfPod({ ...state, ...desired });
  try {
    if ((await driver.call('mount', [folder, json], secrets)) === undefined) {
      await mount.mount({ source: devices.pathOf(driver.name, name), target: folder, options: ['bind'] });
    }
  } catch (error) {
    // An incomplete mount must not count as done at the next attempt.
    await endMounts(folder, mount).catch(() => undefined); // the first failure is reported
    throw error;
  }
}

async function setGroup(
  { logger }: FlexState,
  { driver, folder }: FlexPlace,
  { job, source }: Wanted,
): Promise<void> {
  const groupId = groupOf(job.pod);
  if (source.isReadOnly || !driver.capabilities.fsGroup || groupId === undefined) return;
  const policy = job.pod.spec.securityContext?.fsGroupChangePolicy;
  const isByRootOnly = job.tools.hasGroupPolicy && policy === 'OnRootMismatch';
  try {
    await setOwnership(folder, { groupId, isReadOnly: false, isByRootOnly });
  } catch (error) {
    // As in release 1.20: a file system without ownership is usable nevertheless.
    logger.error('volume ownership change failed', {
      folder,
      error: describeError(error),
    });
  }
}
