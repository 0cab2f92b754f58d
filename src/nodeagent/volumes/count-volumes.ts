import type { VolumeCount } from './contract.ts';
import type { ReadyVolume } from './make-volumes.ts';
import type { VolumeFailure } from './mount-failures.ts';

/** How it stands with the volumes of one pod. */
export interface CountedPod {
  readonly volumes: ReadonlyMap<string, ReadyVolume>;
  readonly failed: readonly VolumeFailure[];
}

/** Volumes of all these pods by their kinds. */
export function countVolumes(pods: Iterable<CountedPod>): VolumeCount[] {
  const counts = new Map<string, VolumeCount>();
  const add = (plugin: string, actual: 0 | 1): void => {
    const known = counts.get(plugin) ?? { plugin, desired: 0, actual: 0 };
    counts.set(plugin, { plugin, desired: known.desired + 1, actual: known.actual + actual });
  };
  for (const { volumes, failed } of pods) {
    for (const { plugin } of volumes.values()) add(plugin, 1);
    for (const { volumeName, plugin } of failed) {
      if (plugin !== undefined && !volumes.has(volumeName)) add(plugin, 0);
    }
  }
  return [...counts.values()];
}
