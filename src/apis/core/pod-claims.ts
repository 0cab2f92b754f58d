import type { PersistentVolumeClaim, Pod } from '../types/core-v1.ts';

/** A claim of a pod's volume: one that it names, or one that is made for it. */
export interface PodClaim {
  readonly volume: string;
  readonly name: string;
  /** It is made with the pod and goes with it. */
  readonly isEphemeral: boolean;
}

/** The claims of a pod, in the order of its volumes. */
export const claimsOfPod = ({ metadata, spec }: Pod): readonly PodClaim[] =>
  (spec.volumes ?? []).flatMap(({ name: volume, persistentVolumeClaim, ephemeral }): PodClaim[] => {
    if (persistentVolumeClaim !== undefined) {
      return [{ volume, name: persistentVolumeClaim.claimName, isEphemeral: false }];
    }
    if (ephemeral === undefined) return [];
    return [{ volume, name: `${metadata.name}-${volume}`, isEphemeral: true }];
  });

/** Whether a claim was made for a pod, rather than by somebody who gave it the same name. */
export const isMadeFor = ({ metadata }: PersistentVolumeClaim, pod: Pod): boolean =>
  metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === pod.metadata.uid) ===
  true;

/** Whether nothing of a pod uses its volumes any more. Source: release 1.20, `IsPodTerminated`. */
export function isPodTerminated({ metadata, status }: Pod): boolean {
  if (status.phase === 'Failed' || status.phase === 'Succeeded') return true;
  if (!metadata.deletionTimestamp) return false;
  return (status.containerStatuses ?? []).every(({ state }) => state?.terminated || state?.waiting);
}
