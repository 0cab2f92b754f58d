import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimVolumeSource,
} from '../../apis/types/core-v1.ts';
import { notFound } from '../../machinery/errors/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import { describeError } from './describe-error.ts';

/** The persistent volume behind a claim. */
export interface ClaimedVolume {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
  readonly isReadOnly: boolean;
}

/** Finds the volume that a claim is bound to. @throws Error with release 1.20's message. */
export async function findClaimedVolume(
  namespace: string,
  { claimName, readOnly }: PersistentVolumeClaimVolumeSource,
  objects: AgentObjects | undefined,
): Promise<ClaimedVolume> {
  try {
    if (objects === undefined) throw new Error('failed to fetch PVC from API server: no client');
    const claim = await fetchClaim(namespace, claimName, objects);
    const volume = await fetchVolume(claim, objects);
    return { claim, volume, isReadOnly: readOnly === true };
  } catch (cause) {
    const message = `error processing PVC ${namespace}/${claimName}: ${describeError(cause)}`;
    throw new Error(message, { cause });
  }
}

async function fetchClaim(
  namespace: string,
  name: string,
  objects: AgentObjects,
): Promise<PersistentVolumeClaim> {
  const resource = { group: '', resource: 'persistentvolumeclaims' };
  const read = () => objects.persistentVolumeClaim(namespace, name);
  const claim = await fetch(
    read,
    'failed to fetch PVC from API server',
    () => notFound(resource, name).message,
  );
  // What is being deleted must not be used by new pods.
  if (claim.metadata.deletionTimestamp) throw new Error('PVC is being deleted');
  if (claim.status.phase !== 'Bound') throw new Error('PVC is not bound');
  if (!claim.spec.volumeName) throw new Error('PVC has empty pvc.Spec.VolumeName');
  return claim;
}

async function fetchVolume(claim: PersistentVolumeClaim, objects: AgentObjects): Promise<PersistentVolume> {
  const { volumeName: name = '' } = claim.spec;
  const { uid = '' } = claim.metadata;
  const resource = { group: '', resource: 'persistentvolumes' };
  const what = `failed to fetch PV ${name} from API server`;
  const volume = await fetch(
    () => objects.persistentVolume(name),
    what,
    () => notFound(resource, name).message,
  );
  const { claimRef } = volume.spec;
  if (!claimRef) {
    throw new Error(
      `found PV object ${name} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`,
    );
  }
  if (claimRef.uid === uid) return volume;
  throw new Error(
    `found PV object ${name} but its pv.Spec.ClaimRef.UID ${claimRef.uid ?? ''} does not point to claim.UID ${uid}`,
  );
}

async function fetch<T>(read: () => Promise<T | undefined>, what: string, absence: () => string): Promise<T> {
  let found: T | undefined;
  try {
    found = await read();
  } catch (cause) {
    throw new Error(`${what}: ${describeError(cause)}`, { cause });
  }
  if (found === undefined) throw new Error(`${what}: ${absence()}`);
  return found;
}
