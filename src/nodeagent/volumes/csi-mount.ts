import { mkdir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { CSIDriverSpec } from '../../apis/types/storage-v1.ts';
import type { Logger } from '../../base/index.ts';
import type { CsiDriver } from '../csi/index.ts';
import { expandCsiVolume } from './csi-expand.ts';
import { type VolumeData, writeVolumeData } from './csi-files.ts';
import { attach, publish, stage } from './csi-publish.ts';
import { attachmentName, type CsiSource } from './csi-source.ts';
import { type CsiFeatures, type CsiJob, type CsiState, inStep } from './csi-state.ts';
import { describeError } from './describe-error.ts';
import type { FolderUsage } from './measure-folder.ts';
import { MountStepError } from './mount-step-error.ts';
import { setOwnership } from './ownership.ts';
import { groupOf, type MadeVolume } from './volume-tools.ts';

/** Mounts a driver's volume into a pod, unless that is done. @throws Error, MountStepError */
export async function publishMount(state: CsiState, csi: CsiJob): Promise<MadeVolume> {
  const { paths, published, plugin, logger } = state;
  const { job, source, spec } = csi;
  const folder = paths.ofPod(job.podDir, source.name);
  const target = posix.join(folder, 'mount');
  const isAgain = published.has(target);
  const isDue = !isAgain || (state.features.CSIServiceAccountToken && spec?.requiresRepublish === true);
  // The folder records that the pod uses the volume, also for an agent that starts later.
  await mkdir(folder, { recursive: true, mode: 0o750 });
  const driver = await findDriver(state, source);
  if (isDue) {
    const publishContext = await attach(state, csi);
    const staging = await inStep('MountVolume.MountDevice', () =>
      stage(state, csi, { driver, publishContext }),
    );
    if (staging !== '' && !isAgain) await expandCsiVolume(state, csi, { driver, path: staging, staging });
    // The file records that there may be something to unpublish.
    if (!isAgain) await writeVolumeData(folder, volumeData(source, state.nodeName));
    await publish(state, csi, { driver, publishContext, staging, target });
    if (!isAgain) await setGroup(csi, target, state.features);
    published.add(target);
  }
  await expandCsiVolume(state, csi, { driver, path: target, staging: '', isInUse: isAgain });
  return {
    path: target,
    isReadOnly: source.isReadOnly,
    needsSelinuxLabel: !source.isReadOnly,
    measure: () => measureCsiVolume(driver, { plugin, handle: source.handle, path: target, logger }),
  };
}

const volumeData = (source: CsiSource, nodeName: string): VolumeData => ({
  specVolID: source.name,
  volumeHandle: source.handle,
  driverName: source.driver,
  nodeName,
  attachmentID: attachmentName(source, nodeName),
  volumeLifecycleMode: source.lifecycle,
});

async function findDriver(
  { drivers, plugin }: CsiState,
  { driver, lifecycle }: CsiSource,
): Promise<CsiDriver> {
  try {
    return drivers.get(driver);
  } catch (cause) {
    const text = describeError(cause);
    if (lifecycle === 'Ephemeral') {
      throw new Error(`${plugin}: mounter.SetUpAt failed to get CSI client: ${text}`, { cause });
    }
    const message = `${plugin}: attacher.MountDevice failed to create newCsiDriverClient: ${text}`;
    throw new MountStepError('MountVolume.MountDevice', message, { cause });
  }
}

async function setGroup(
  { job: { pod, tools }, source, spec }: CsiJob,
  target: string,
  features: CsiFeatures,
): Promise<void> {
  const groupId = groupOf(pod);
  if (groupId === undefined || !takesGroup(source, spec, features)) return;
  const isByRootOnly =
    tools.hasGroupPolicy && pod.spec.securityContext?.fsGroupChangePolicy === 'OnRootMismatch';
  try {
    await setOwnership(target, { groupId, isReadOnly: false, isByRootOnly });
  } catch (cause) {
    throw new Error(`applyFSGroup failed for vol ${source.handle}: ${describeError(cause)}`, { cause });
  }
}

/** Whether files of a volume are given to the pod's group, as its driver wants it (release 1.20). */
function takesGroup(
  { isReadOnly, fsType, accessModes, lifecycle }: CsiSource,
  spec: CSIDriverSpec | undefined,
  features: Pick<CsiFeatures, 'CSIVolumeFSGroupPolicy'>,
): boolean {
  const policy =
    (features.CSIVolumeFSGroupPolicy ? spec?.fsGroupPolicy : undefined) ?? 'ReadWriteOnceWithFSType';
  if (isReadOnly || policy === 'None') return false;
  if (policy === 'File') return true;
  if (fsType === '') return false;
  return lifecycle === 'Ephemeral' || accessModes?.includes('ReadWriteOnce') === true;
}

/** The published volume that is measured. */
interface CsiUsageOptions {
  readonly plugin: string;
  readonly handle: string;
  readonly path: string;
  readonly logger: Logger;
}

const units = { bytes: 1, inodes: 2 };

/** What the driver says that a volume takes; undefined when it cannot tell. @throws GrpcError */
async function measureCsiVolume(
  driver: CsiDriver,
  { plugin, handle, path, logger }: CsiUsageOptions,
): Promise<FolderUsage | undefined> {
  if (!(await driver.can('GET_VOLUME_STATS'))) return undefined;
  const { usage } = await driver.call('NodeGetVolumeStats', { volume_id: handle, volume_path: path });
  const figures = (unit: number) => usage.find((one) => one.unit === unit);
  const [bytes, inodes] = [figures(units.bytes), figures(units.inodes)];
  if (bytes === undefined && inodes === undefined) {
    logger.debug('CSI driver gave no figures of a volume', { plugin, driver: driver.name, handle });
    return undefined;
  }
  return {
    usedBytes: bytes?.used ?? 0,
    availableBytes: bytes?.available ?? 0,
    capacityBytes: bytes?.total ?? 0,
    inodesUsed: inodes?.used ?? 0,
    inodesFree: inodes?.available ?? 0,
    inodes: inodes?.total ?? 0,
  };
}
