import { mkdir } from 'node:fs/promises';
import type { Pod } from '../../apis/types/core-v1.ts';
import { podDirectory, podsDirectory } from '../container-config/index.ts';
import type { MountContext, VolumeOperation } from './contract.ts';
import { describeError } from './describe-error.ts';
import { findVolume } from './find-volume.ts';
import type { VolumeFailure } from './mount-failures.ts';
import { MountStepError } from './mount-step-error.ts';
import { NodeAffinityError } from './persistent-volumes.ts';
import { type UsedVolume, usedVolumes } from './used-volumes.ts';
import type { VolumeEvent } from './volume-error.ts';
import type { FoundVolume, MadeVolume, VolumeJob, VolumeTools } from './volume-tools.ts';

/** The pod whose volumes are mounted, and who is notified of each attempt. */
export interface MakeVolumesOptions {
  readonly pod: Pod;
  readonly context: MountContext;
  readonly rootDirectory: string;
  readonly tools: VolumeTools;
  readonly onOperation: (operation: VolumeOperation) => void;
}

/** A volume that is ready, and its kind. */
export interface ReadyVolume extends MadeVolume {
  readonly plugin: string;
}

/** How it went with the volumes of a pod. */
export interface MakeVolumesResult {
  readonly made: ReadonlyMap<string, ReadyVolume>;
  readonly failed: readonly VolumeFailure[];
  /** Names of all that are used, in the pod's order. */
  readonly expected: readonly string[];
}

/** Makes or updates all volumes that containers of the pod use, concurrently. */
export async function makeVolumes(options: MakeVolumesOptions): Promise<MakeVolumesResult> {
  const { pod, context, rootDirectory, tools, onOperation } = options;
  const used = usedVolumes(pod);
  const podDir = podDirectory(rootDirectory, pod.metadata.uid ?? '');
  const podsFolder = podsDirectory(rootDirectory);
  await mkdir(podDir, { recursive: true, mode: 0o750 });
  const jobs: Promise<ReadyVolume | VolumeFailure>[] = [];
  const expected: string[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const use = used.get(volume.name);
    if (use === undefined) continue;
    expected.push(volume.name);
    jobs.push(makeVolume({ pod, podDir, podsFolder, volume, context, tools }, use, onOperation));
  }
  const made = new Map<string, ReadyVolume>();
  const failed: VolumeFailure[] = [];
  for (const [index, result] of (await Promise.all(jobs)).entries()) {
    if ('event' in result) failed.push(result);
    else made.set(expected[index] ?? '', result);
  }
  return { made, failed, expected };
}

async function makeVolume(
  job: VolumeJob,
  use: UsedVolume,
  onOperation: (operation: VolumeOperation) => void,
): Promise<ReadyVolume | VolumeFailure> {
  const volumeName = job.volume.name;
  let found: FoundVolume;
  try {
    found = await findVolume(job, use);
  } catch (cause) {
    const event = { reason: 'FailedMount', message: describeError(cause) } as const;
    return { volumeName, isUnknown: true, plugin: undefined, event, cause };
  }
  const { plugin } = found;
  const startedAtMs = job.tools.clock.nowMs();
  const notify = (isSuccess: boolean): void =>
    onOperation({
      plugin,
      name: 'volume_mount',
      durationMs: job.tools.clock.nowMs() - startedAtMs,
      isSuccess,
    });
  try {
    if (found.needs !== undefined) await job.tools.checkNode?.(found.needs);
    const made = await found.make();
    notify(true);
    return { ...made, plugin };
  } catch (cause) {
    notify(false);
    const { step, reason } = stepOf(found, cause);
    const what = step.includes(' failed ') ? step : `${step} failed`;
    const message = `${what} for volume "${found.name}" : ${describeError(cause)}`;
    const isQuiet = cause instanceof MountStepError && cause.isQuiet;
    return { volumeName, isUnknown: false, plugin, event: { reason, message }, isQuiet, cause };
  }
}

/** The step that failed, as release 1.20 calls it. */
function stepOf({ isDevice }: FoundVolume, cause: unknown): FailedStep {
  if (cause instanceof MountStepError) return cause;
  const isRefused = cause instanceof NodeAffinityError;
  if (isDevice) {
    const step = isRefused ? 'MapVolume.NodeAffinity check' : 'MapVolume.MapPodDevice';
    return { step, reason: 'FailedMapVolume' };
  }
  const step = isRefused ? 'MountVolume.NodeAffinity check' : 'MountVolume.SetUp';
  return { step, reason: 'FailedMount' };
}

interface FailedStep {
  readonly step: string;
  readonly reason: VolumeEvent['reason'];
}
