import { mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { posix } from 'node:path';
import type { CSIDriverSpec } from '../../apis/types/storage-v1.ts';
import { expandCsiVolume } from './csi-expand.ts';
import { CsiPaths, readVolumeData } from './csi-files.ts';
import { publishMount } from './csi-mount.ts';
import { attach, publish, stage } from './csi-publish.ts';
import { type CsiSource, csiVolumeKey } from './csi-source.ts';
import { type CsiJob, type CsiState, type CsiVolumesOptions, inStep } from './csi-state.ts';
import { unmountCsiVolumes } from './csi-unmount.ts';
import { describeError } from './describe-error.ts';
import { MountStepError } from './mount-step-error.ts';
import { createPodQueues } from './pod-queues.ts';
import type { CsiVolumes, FoundVolume, MadeVolume, VolumeJob } from './volume-tools.ts';

/** Nothing is called before the first volume. */
export function createCsiVolumes(options: CsiVolumesOptions): CsiVolumes {
  const { rootDirectory, dialect } = options;
  const state: CsiState = {
    ...options,
    plugin: dialect.label('csi'),
    paths: new CsiPaths(rootDirectory, dialect),
    queues: createPodQueues(),
    holders: new Map(),
    staged: new Set(),
    published: new Set(),
    refused: new Set(),
    expanded: new Map(),
  };
  return {
    find: (job, source) => findCsiVolume(state, job, source),
    unmountPod: (podUid) => unmountCsiVolumes(state, podUid),
  };
}

function findCsiVolume(state: CsiState, job: VolumeJob, source: CsiSource): FoundVolume {
  const { name, driver, handle, isBlock } = source;
  const key = csiVolumeKey(state.plugin, driver, handle);
  return {
    name,
    plugin: `${state.plugin}:${driver}`,
    isDevice: isBlock,
    make: () => state.queues.run(key, () => makeOne(state, job, source)),
  };
}

async function makeOne(state: CsiState, job: VolumeJob, source: CsiSource): Promise<MadeVolume> {
  const spec = await checkDriver(state, source);
  const csi = { job, source, spec };
  await holdName(state, source);
  return source.isBlock ? publishDevice(state, csi) : publishMount(state, csi);
}

/**
 * Takes the volume's name on this node. Names of persistent volumes are given again, and authors of pods choose those of migrated
 * volumes: nobody gets what is staged for another volume of the same name.
 *
 * @throws MountStepError while pods use another volume of that name
 */
async function holdName({ holders, paths, plugin }: CsiState, source: CsiSource): Promise<void> {
  const { name, driver, handle, isBlock, lifecycle } = source;
  if (lifecycle === 'Ephemeral') return;
  const path = paths.staging(name, source);
  const key = csiVolumeKey(plugin, driver, handle);
  if (!holders.has(path)) {
    const kept = await readVolumeData(paths.dataOf(name, source));
    const before = kept && csiVolumeKey(plugin, kept.driverName, kept.volumeHandle);
    holders.set(path, holders.get(path) ?? before ?? key);
  }
  const holder = holders.get(path);
  if (holder === key) return;
  const step = isBlock ? 'MapVolume.SetUpDevice' : 'MountVolume.MountDevice';
  const reason = isBlock ? 'FailedMapVolume' : 'FailedMount';
  throw new MountStepError(step, `the name is that of ${holder}, which pods of this node use`, { reason });
}

/** Refuses volumes that the driver does not serve in their way. @throws MountStepError with release 1.20's message */
async function checkDriver(
  { objects, features, plugin }: CsiState,
  { driver, lifecycle, isBlock }: CsiSource,
): Promise<CSIDriverSpec | undefined> {
  const refuse = (message: string, cause?: unknown): Error => {
    const reason = isBlock ? 'FailedMapVolume' : 'FailedMount';
    const step = `${isBlock ? 'MapVolume.NewBlockVolumeMapper' : 'MountVolume.NewMounter'} initialization`;
    return new MountStepError(step, message, { reason, cause });
  };
  const spec = await objects.csiDriver(driver).then(
    (found) => found?.spec,
    (cause) => {
      throw refuse(describeError(cause), cause);
    },
  );
  const isInline = lifecycle === 'Ephemeral';
  if (isInline && !features.CSIInlineVolume)
    throw refuse(`${plugin}: volume source not found in volume.Spec`);
  if (spec === undefined) {
    if (!isInline) return undefined;
    throw refuse(`volume mode "${lifecycle}" not supported by driver ${driver} (no CSIDriver object)`);
  }
  const all = spec.volumeLifecycleModes ?? ['Persistent'];
  if (!features.CSIInlineVolume || all.includes(lifecycle)) return spec;
  const list = all.map((mode) => `"${mode}"`).join(' ');
  throw refuse(`volume mode "${lifecycle}" not supported by driver ${driver} (only supports [${list}])`);
}

/** Gives a pod a driver's volume as a device, unless that is done. @throws Error, MountStepError */
async function publishDevice(state: CsiState, csi: CsiJob): Promise<MadeVolume> {
  const { paths, published, drivers, plugin } = state;
  const { job, source } = csi;
  const podUid = job.pod.metadata.uid ?? '';
  const target = paths.publishedDevice(source.name, podUid);
  const link = paths.deviceLink(job.podDir, source.name);
  const isAgain = published.has(target);
  // The link records that the pod uses the volume, also for an agent that starts later.
  await linkTo(target, link);
  const driver = await inStep('MapVolume.SetUpDevice', async () => {
    try {
      return drivers.get(source.driver);
    } catch (cause) {
      const text = describeError(cause);
      throw new Error(`${plugin}: blockMapper.SetUpDevice failed to get CSI client: ${text}`, { cause });
    }
  }).catch(asDevice);
  if (!isAgain) {
    const publishContext = await attach(state, csi).catch(asDevice);
    const staging = await inStep('MapVolume.SetUpDevice', () =>
      stage(state, csi, { driver, publishContext }),
    ).catch(asDevice);
    await mkdir(posix.dirname(target), { recursive: true, mode: 0o750 });
    await publish(state, csi, { driver, publishContext, staging, target });
    published.add(target);
    const message = `MapVolume.MapPodDevice succeeded for volume "${source.name}" volumeMapPath "${posix.dirname(link)}"`;
    job.tools.onEvent(job.pod, { type: 'Normal', reason: 'SuccessfulMountVolume', message });
  }
  await expandCsiVolume(state, csi, { driver, path: target, staging: '', isInUse: isAgain });
  return { devicePath: link, isReadOnly: source.isReadOnly, needsSelinuxLabel: false };
}

async function linkTo(target: string, link: string): Promise<void> {
  await mkdir(posix.dirname(link), { recursive: true, mode: 0o750 });
  if ((await readlink(link).catch(() => undefined)) === target) return; // not a link, or missing: made below
  await rm(link, { force: true });
  await symlink(target, link);
}

/** The same failure as one of a device. */
function asDevice(error: unknown): never {
  if (!(error instanceof MountStepError)) throw error;
  const step = error.step.replace(/^MountVolume\./, 'MapVolume.');
  const { isQuiet, cause } = error;
  throw new MountStepError(step, error.message, { reason: 'FailedMapVolume', isQuiet, cause });
}
