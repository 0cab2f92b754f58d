import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { type MountedVolume, VolumeError } from '../volumes/index.ts';
import type { LifecycleParts } from './parts.ts';

/**
 * Brings about what a pod's containers need before any of them is made: its control group and its volumes. Failures
 * become events as well.
 *
 * @throws CgroupError or VolumeError
 */
export async function preparePod(
  pod: Pod,
  podIp: string | undefined,
  parts: LifecycleParts,
): Promise<ReadonlyMap<string, MountedVolume>> {
  const { cgroups, volumes } = parts;
  const { hostIps, allocatable } = parts.surroundings();
  try {
    await cgroups?.ensurePod(pod);
  } catch (error) {
    const message = `error: failed to ensure that the pod: ${pod.metadata.uid} cgroups exist and are correctly applied: ${errorText(error)}`;
    parts.events.record({
      about: { kind: 'pod', pod },
      type: 'Warning',
      reason: 'FailedCreatePodContainer',
      message,
    });
    throw error;
  }
  try {
    return await volumes.mount(pod, { podIps: podIp === undefined ? [] : [podIp], hostIps, allocatable });
  } catch (error) {
    if (error instanceof VolumeError) {
      for (const { reason, message } of error.events) {
        parts.events.record({ about: { kind: 'pod', pod }, type: 'Warning', reason, message });
      }
    }
    throw error;
  }
}
