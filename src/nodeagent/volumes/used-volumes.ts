import type { Pod } from '../../apis/types/core-v1.ts';

/** How containers of a pod use one of its volumes. */
export interface UsedVolume {
  readonly isMounted: boolean;
  readonly isDevice: boolean;
}

/** Volumes that containers of a pod use, by name. Others are not made. */
export function usedVolumes({ spec }: Pod): Map<string, UsedVolume> {
  const used = new Map<string, UsedVolume>();
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    for (const { volumeMounts, volumeDevices } of list ?? []) {
      for (const { name } of volumeMounts ?? []) {
        used.set(name, { isMounted: true, isDevice: used.get(name)?.isDevice ?? false });
      }
      for (const { name } of volumeDevices ?? []) {
        used.set(name, { isMounted: used.get(name)?.isMounted ?? false, isDevice: true });
      }
    }
  }
  return used;
}
