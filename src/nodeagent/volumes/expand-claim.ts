import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../apis/types/core-v1.ts';
import { compareQuantities, parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import { describeError } from './describe-error.ts';
import { MountStepError } from './mount-step-error.ts';
import type { VolumeTools } from './volume-tools.ts';

/** A claim and the volume behind it. */
export interface ClaimPair {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

/** Bytes that a volume has grown to, and its file system has not; undefined when there is nothing to grow. */
function desiredBytes({ claim, volume }: ClaimPair): number | undefined {
  const [shown, given] = [claim.status.capacity?.storage, volume.spec.capacity?.storage];
  if (shown === undefined || given === undefined) return undefined;
  const size = parseQuantity(given);
  return compareQuantities(parseQuantity(shown), size) < 0 ? Number(quantityValue(size)) : undefined;
}

/** Says of a claim that it has all of its volume. @throws StatusError or TransportError */
async function markExpanded({ claim, volume }: ClaimPair, objects: AgentObjects): Promise<void> {
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

/** A volume that may have to grow, and what lets it. */
export interface Expansion {
  readonly pod: Pod;
  readonly claimed: ClaimPair;
  readonly isReadOnly: boolean;
  /** Containers may use it already. */
  readonly isInUse: boolean;
  /** Where a failure belongs to, as release 1.20 calls it. */
  readonly step: 'MountDevice' | 'Setup';
  /** Bytes that volumes have grown to, by their names: claims that were read before say less. */
  readonly expanded: Map<string, number>;
  grow(requiredBytes: number): Promise<void>;
}

/**
 * Lets a volume grow that is larger than its claim says, and says so in the claim.
 *
 * @throws MountStepError with release 1.20's message; for a volume in use nothing but an event tells of that
 */
export async function expandClaimed(
  { pod, claimed, isReadOnly, isInUse, step, expanded, grow }: Expansion,
  objects: AgentObjects,
  { onEvent }: Pick<VolumeTools, 'onEvent'>,
): Promise<void> {
  const { name = '' } = claimed.volume.metadata;
  const required = desiredBytes(claimed);
  if (required === undefined || expanded.get(name) === required) return;
  const what = (text: string): string => `${text} for volume "${name}" `;
  if (isReadOnly) {
    const message = `${what('MountVolume.NodeExpandVolume failed')}: requested read-only file system`;
    onEvent(pod, { type: 'Warning', reason: 'FileSystemResizeFailed', message });
    return;
  }
  try {
    await grow(required);
    await markExpanded(claimed, objects);
  } catch (cause) {
    const text = describeError(cause);
    const failed = isInUse
      ? 'NodeExpandVolume.NodeExpandVolume failed'
      : 'MountVolume.NodeExpandVolume failed';
    onEvent(pod, { type: 'Warning', reason: 'VolumeResizeFailed', message: `${what(failed)}: ${text}` });
    if (isInUse) return;
    throw new MountStepError(`MountVolume.${step} failed while expanding volume`, text, { cause });
  }
  expanded.set(name, required);
  const message = what('MountVolume.NodeExpandVolume succeeded');
  onEvent(pod, { type: 'Normal', reason: 'FileSystemResizeSuccessful', message });
}
