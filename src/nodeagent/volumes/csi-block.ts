import { mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { posix } from 'node:path';
import { expandCsiVolume } from './csi-expand.ts';
import { attach, publish, stage } from './csi-publish.ts';
import { type CsiJob, type CsiState, inStep } from './csi-state.ts';
import { describeError } from './describe-error.ts';
import { MountStepError } from './mount-step-error.ts';
import type { MadeVolume } from './volume-tools.ts';

/** Gives a pod a driver's volume as a device, unless that is done. @throws Error, MountStepError */
export async function publishDevice(state: CsiState, csi: CsiJob): Promise<MadeVolume> {
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
