import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podLogsDirectory, runtimeLabelNames } from '../container-config/index.ts';
import type { ContainerStats, FilesystemUsage, RuntimeService } from '../runtime/index.ts';
import {
  type ContainerUsage,
  type DiskUsage,
  noDiskUsage,
  type PodUsage,
  type VolumeUsage,
} from './pod-usage.ts';

/** Where the usage of a pod is measured: memory and disk by the runtime, volumes and logs by folder sizes. */
export interface UsageSources {
  readonly runtime: Pick<RuntimeService, 'listContainerStats'>;
  readonly volumeUsage: (podUid: string) => Promise<readonly VolumeUsage[]>;
  /** Processes and threads of a pod; undefined when that is not known. */
  readonly processes: (pod: Pod) => Promise<number | undefined>;
  /** Folder of a pod's logs; where release 1.20 keeps them when left out. */
  readonly logsOf?: ((pod: Pod) => string) | undefined;
  readonly dialect: Dialect;
}

/** What pods use, by uid; a pod of which the runtime has no running container uses no memory. */
export async function readPodUsage(
  pods: readonly Pod[],
  sources: UsageSources,
): Promise<ReadonlyMap<string, PodUsage>> {
  const found = new Map<string, PodUsage>();
  if (pods.length === 0) return found;
  const names = runtimeLabelNames(sources.dialect);
  const [only, another] = pods;
  const isOne = another === undefined && only?.metadata.uid !== undefined;
  const filter = isOne ? { labels: { [names.podUid]: only.metadata.uid ?? '' } } : {};
  const stats = Map.groupBy(
    await sources.runtime.listContainerStats(filter),
    ({ labels }) => labels[names.podUid],
  );
  for (const pod of pods) {
    const { uid = '' } = pod.metadata;
    const logs = (sources.logsOf ?? podLogsDirectory)(pod);
    const containers = (stats.get(uid) ?? []).map((one) =>
      containerUsage(one, one.labels[names.containerName] ?? one.metadata.name, logs),
    );
    found.set(uid, {
      containers: await Promise.all(containers),
      volumes: await sources.volumeUsage(uid),
      processes: await sources.processes(pod),
    });
  }
  return found;
}

async function containerUsage(
  { memory, writableLayer }: ContainerStats,
  name: string,
  logs: string,
): Promise<ContainerUsage> {
  return {
    name,
    memoryBytes: memory?.workingSetBytes,
    writableLayer: writableLayer && pick(writableLayer),
    logs: await measureFiles(join(logs, name)),
  };
}

const pick = ({ usedBytes, inodesUsed }: FilesystemUsage): DiskUsage => ({ usedBytes, inodesUsed });

/** Files right below a folder; log files lie in no further one. */
async function measureFiles(folder: string): Promise<DiskUsage> {
  const names = await readdir(folder).catch(() => []); // a container that has logged nothing has no folder
  const sizes = await Promise.all(
    names.map((name) =>
      lstat(join(folder, name)).then(
        ({ size }) => size,
        () => 0, // rotated away meanwhile
      ),
    ),
  );
  return names.length === 0
    ? noDiskUsage
    : { usedBytes: sizes.reduce((sum, size) => sum + size, 0), inodesUsed: names.length };
}
