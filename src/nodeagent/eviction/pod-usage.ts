import type { Pod } from '../../apis/types/core-v1.ts';
import { localVolumes } from '../container-config/index.ts';

/** Bytes and inodes on a file system. */
export interface DiskUsage {
  readonly usedBytes: number;
  readonly inodesUsed: number;
}

/** A volume of a pod and what it holds. */
export interface VolumeUsage extends DiskUsage {
  readonly name: string;
}

/** What one container uses; parts that nobody measured are undefined. */
export interface ContainerUsage {
  readonly name: string;
  readonly memoryBytes: number | undefined;
  readonly writableLayer: DiskUsage | undefined;
  readonly logs: DiskUsage | undefined;
}

/** What a pod uses. */
export interface PodUsage {
  readonly containers: readonly ContainerUsage[];
  readonly volumes: readonly VolumeUsage[];
  readonly processes: number | undefined;
}

/** Parts of a pod's files. */
export type DiskPart = 'writable-layers' | 'logs' | 'volumes';

/** Every part: what counts against limits of a pod. */
export const allDiskParts: ReadonlySet<DiskPart> = new Set(['writable-layers', 'logs', 'volumes']);

/** An empty folder. */
export const noDiskUsage: DiskUsage = { usedBytes: 0, inodesUsed: 0 };

/** Memory of all containers together. */
export const podMemoryBytes = ({ containers }: PodUsage): number =>
  containers.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, 0);

/** The given parts of a pod's files together; of volumes only those that are removed with the pod count. */
export function podDiskUsage(pod: Pod, usage: PodUsage, parts: ReadonlySet<DiskPart>): DiskUsage {
  const local = localVolumes(pod);
  return sumDisk([
    ...usage.containers.flatMap(({ writableLayer, logs }) => [
      parts.has('writable-layers') ? writableLayer : undefined,
      parts.has('logs') ? logs : undefined,
    ]),
    ...(parts.has('volumes') ? usage.volumes.filter(({ name }) => local.has(name)) : []),
  ]);
}

/** Several usages together; undefined ones count as nothing. */
export function sumDisk(usages: readonly (DiskUsage | undefined)[]): DiskUsage {
  return usages.reduce<DiskUsage>(
    (sum, usage) => ({
      usedBytes: sum.usedBytes + (usage?.usedBytes ?? 0),
      inodesUsed: sum.inodesUsed + (usage?.inodesUsed ?? 0),
    }),
    noDiskUsage,
  );
}
