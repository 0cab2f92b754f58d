import { mkdir, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podDirectory, podsDirectory } from '../container-config/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { MountContext, PodVolumes, VolumeUsage } from './contract.ts';
import { describeError } from './describe-error.ts';
import { findVolume } from './find-volume.ts';
import type { MountCommands } from './mount-commands.ts';
import { createMountFailures, type VolumeFailure } from './mount-failures.ts';
import { createPodQueues } from './pod-queues.ts';
import { listPods, removePod } from './remove-pod.ts';
import { cleanSubPathFolder, prepareSubPath, subPathFolders } from './sub-paths.ts';
import { usedVolumes } from './used-volumes.ts';
import type { MadeVolume, VolumeJob, VolumeTools } from './volume-tools.ts';
import { measureVolumes } from './volume-usage.ts';

export interface PodVolumesOptions {
  /** Absolute folder that the agent keeps its state in; made when it is missing. */
  readonly rootDirectory: string;
  readonly dialect: Dialect;
  /** Undefined when the agent has no API server. */
  readonly objects: AgentObjects | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mount: MountCommands;
  /** How long a measurement of volumes is good for; 0: they are never measured. */
  readonly usagePeriodMs: number;
  /** Feature `SizeMemoryBackedVolumes`; default false. */
  readonly boundsMemory?: boolean;
  /** Feature `ConfigurableFSGroupPolicy`; default true. */
  readonly hasGroupPolicy?: boolean;
}

/** What is known of a pod whose volumes were made. */
interface Made {
  readonly volumes: ReadonlyMap<string, MadeVolume>;
  usage: { readonly measuredAtMs: number; readonly value: Promise<readonly VolumeUsage[]> } | undefined;
}

/** Volumes of the pods below a root folder. Nothing is touched before the first call. */
export function createPodVolumes(options: PodVolumesOptions): PodVolumes {
  const { clock, logger, usagePeriodMs } = options;
  const rootDirectory = posix.resolve(options.rootDirectory);
  const mount = respellMounts(options.mount, rootDirectory);
  const { boundsMemory = false, hasGroupPolicy = true } = options;
  const tools: VolumeTools = { ...options, mount, boundsMemory, hasGroupPolicy };
  const queues = createPodQueues();
  const failures = createMountFailures(clock);
  const pods = new Map<string, Made>();

  async function mountAll(pod: Pod, context: MountContext): Promise<ReadonlyMap<string, MadeVolume>> {
    const { uid = '' } = pod.metadata;
    const { made, failed, expected } = await makeVolumes({ pod, context, rootDirectory, tools });
    const usage = pods.get(uid)?.usage;
    pods.set(uid, { volumes: made, usage });
    if (failed.length > 0) throw failures.report(uid, expected, failed);
    failures.forget(uid);
    return made;
  }

  return {
    mount: (pod, context) => queues.run(pod.metadata.uid ?? '', () => mountAll(pod, context)),
    prepareSubPaths: ({ podUid, containerName, subPaths }) =>
      queues.run(podUid, async () => {
        for (const subPath of subPaths) await prepareSubPath(containerName, subPath, { mount, logger });
      }),
    cleanSubPaths: (podUid, containerName) =>
      queues.run(podUid, async () => {
        const all = posix.join(podDirectory(rootDirectory, podUid), 'volume-subpaths');
        for (const folder of await subPathFolders(all, containerName))
          await cleanSubPathFolder(folder, mount);
      }),
    unmount: (podUid) =>
      queues.run(podUid, async () => {
        failures.forget(podUid);
        pods.delete(podUid);
        await removePod(rootDirectory, podUid, mount);
      }),
    podsOnDisk: () => listPods(rootDirectory),
    async usage(podUid) {
      const pod = pods.get(podUid);
      if (pod === undefined || usagePeriodMs <= 0) return [];
      const nowMs = clock.nowMs();
      if (pod.usage === undefined || nowMs - pod.usage.measuredAtMs >= usagePeriodMs) {
        pod.usage = { measuredAtMs: nowMs, value: measureVolumes(pod.volumes, { nowMs, logger }) };
      }
      return pod.usage.value;
    },
  };
}

interface MakeVolumesOptions {
  readonly pod: Pod;
  readonly context: MountContext;
  readonly rootDirectory: string;
  readonly tools: VolumeTools;
}

interface MakeVolumesResult {
  readonly made: ReadonlyMap<string, MadeVolume>;
  readonly failed: readonly VolumeFailure[];
  /** Names of all that are used, in the pod's order. */
  readonly expected: readonly string[];
}

async function makeVolumes({
  pod,
  context,
  rootDirectory,
  tools,
}: MakeVolumesOptions): Promise<MakeVolumesResult> {
  const used = usedVolumes(pod);
  const podDir = podDirectory(rootDirectory, pod.metadata.uid ?? '');
  const podsFolder = podsDirectory(rootDirectory);
  await mkdir(podDir, { recursive: true, mode: 0o750 });
  const volumes = (pod.spec.volumes ?? []).filter(({ name }) => used.has(name));
  const made = new Map<string, MadeVolume>();
  const failed: VolumeFailure[] = [];
  const results = await Promise.all(
    volumes.map((volume) => makeVolume({ pod, podDir, podsFolder, volume, context, tools })),
  );
  for (const [index, { name }] of volumes.entries()) {
    const result = results[index];
    if (result === undefined) continue;
    if ('event' in result) failed.push(result);
    else made.set(name, result);
  }
  return { made, failed, expected: volumes.map(({ name }) => name) };
}

async function makeVolume(job: VolumeJob): Promise<MadeVolume | VolumeFailure> {
  const volumeName = job.volume.name;
  const use = usedVolumes(job.pod).get(volumeName) ?? { isMounted: false, isDevice: false };
  let found: Awaited<ReturnType<typeof findVolume>>;
  try {
    found = await findVolume(job, use);
  } catch (cause) {
    const event = { reason: 'FailedMount', message: describeError(cause) } as const;
    return { volumeName, isUnknown: true, event, cause };
  }
  try {
    return await found.make();
  } catch (cause) {
    const what = found.isDevice ? 'MapVolume.MapPodDevice' : 'MountVolume.SetUp';
    const reason = found.isDevice ? 'FailedMapVolume' : 'FailedMount';
    const message = `${what} failed for volume "${found.name}" : ${describeError(cause)}`;
    return { volumeName, isUnknown: false, event: { reason, message }, cause };
  }
}

/** The table of mounts has real paths; this one has those below the root as the agent spells them. */
function respellMounts(mount: MountCommands, rootDirectory: string): MountCommands {
  return {
    ...mount,
    async list() {
      await mkdir(rootDirectory, { recursive: true, mode: 0o750 });
      const real = await realpath(rootDirectory);
      const points = await mount.list();
      if (real === rootDirectory) return points;
      return points.map((point) =>
        point.path.startsWith(`${real}/`)
          ? { ...point, path: rootDirectory + point.path.slice(real.length) }
          : point,
      );
    },
  };
}
