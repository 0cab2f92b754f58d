import type { PersistentVolume, PersistentVolumeClaim } from '../../apis/types/core-v1.ts';
import { compareQuantities, parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import type { AgentObjects } from '../objects/index.ts';

/** A claim and the volume behind it. */
export interface ClaimPair {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

/** Bytes that a volume has grown to, and its file system has not; undefined when there is nothing to grow. */
export function desiredBytes({ claim, volume }: ClaimPair): number | undefined {
  const [shown, given] = [claim.status.capacity?.storage, volume.spec.capacity?.storage];
  if (shown === undefined || given === undefined) return undefined;
  const size = parseQuantity(given);
  return compareQuantities(parseQuantity(shown), size) < 0 ? Number(quantityValue(size)) : undefined;
}

/** Says of a claim that it has all of its volume. @throws StatusError or TransportError */
export async function markExpanded({ claim, volume }: ClaimPair, objects: AgentObjects): Promise<void> {
  const { name = '', namespace = '' } = claim.metadata;
  const conditions = (claim.status.conditions ?? []).filter(
    ({ type }) => type !== 'Resizing' && type !== 'FileSystemResizePending',
  );
  const capacity = { storage: volume.spec.capacity?.storage };
  await objects.patchClaimStatus(namespace, name, {
    capacity,
    // The patch replaces lists.
    ...(claim.status.conditions === undefined
      ? {}
      : { conditions: conditions.length === 0 ? null : conditions }),
  });
}
