import { claimsOfPod, isMadeFor } from '../../apis/core/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../apis/types/core-v1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';

/** What becomes of a finalizer; undefined: it is as it should be. */
export type FinalizerChange = 'add' | 'remove' | undefined;

/**
 * A claim is kept while a pod that uses it is on a node, even one that has ended. Pure. Source: release 1.20,
 * `pkg/controller/volume/pvcprotection`.
 */
export function decideClaimFinalizer(
  claim: PersistentVolumeClaim,
  finalizer: string,
  pods: readonly Pod[],
): FinalizerChange {
  return decide(claim, finalizer, () => pods.some((pod) => usesClaim(pod, claim)));
}

/** A volume is kept while it is bound. Pure. Source: release 1.20, `pkg/controller/volume/pvprotection`. */
export function decideVolumeFinalizer(volume: PersistentVolume, finalizer: string): FinalizerChange {
  return decide(volume, finalizer, () => volume.status.phase === 'Bound');
}

function decide({ metadata }: ApiObject, finalizer: string, isUsed: () => boolean): FinalizerChange {
  const isThere = metadata.finalizers?.includes(finalizer) === true;
  if (!metadata.deletionTimestamp) return isThere ? undefined : 'add';
  return isThere && !isUsed() ? 'remove' : undefined;
}

function usesClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (!pod.spec.nodeName) return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const isShutDown = Boolean(deletionTimestamp) && deletionGracePeriodSeconds === 0;
  return claimsOfPod(pod).some(
    ({ name, isEphemeral }) =>
      name === claim.metadata.name && (!isEphemeral || (!isShutDown && isMadeFor(claim, pod))),
  );
}
