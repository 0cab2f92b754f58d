import { claimsOfPod, isMadeFor } from '../../apis/core/index.ts';
import type { PersistentVolumeClaim, Pod } from '../../apis/types/core-v1.ts';
import { controllerReference } from '../workloads/claims.ts';

/** A claim to make for a volume, or why there can be none. */
export interface MissingClaim {
  readonly volume: string;
  readonly claim: PersistentVolumeClaim | Error;
}

/**
 * The claims that a pod's volumes are still without. Pure. `find` looks up a claim of the pod's namespace. Source: release 1.20,
 * `pkg/controller/volume/ephemeral`.
 */
export function missingClaims(
  pod: Pod,
  find: (name: string) => PersistentVolumeClaim | undefined,
): MissingClaim[] {
  const { namespace = '', name: podName = '', uid = '' } = pod.metadata;
  return claimsOfPod(pod).flatMap(({ volume, name, isEphemeral }): MissingClaim[] => {
    const template = pod.spec.volumes?.find((each) => each.name === volume)?.ephemeral?.volumeClaimTemplate;
    if (!isEphemeral || template === undefined) return [];
    const found = find(name);
    if (found !== undefined) {
      if (isMadeFor(found, pod)) return [];
      const message = `PVC "${namespace}/${name}" (uid: "${found.metadata.uid}") was not created for the pod`;
      return [{ volume, claim: new Error(message) }];
    }
    const { labels, annotations } = template.metadata ?? {};
    const owner = { apiVersion: 'v1', kind: 'Pod', namespace, name: podName, uid, isBeingDeleted: false };
    const claim: PersistentVolumeClaim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name,
        ...(labels && { labels }),
        ...(annotations && { annotations }),
        ownerReferences: [controllerReference(owner)],
      },
      spec: template.spec,
      status: {},
    };
    return [{ volume, claim }];
  });
}
