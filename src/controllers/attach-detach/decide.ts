import type { Pod } from '../../apis/types/core-v1.ts';
import type { VolumeAttachment } from '../../apis/types/storage-v1.ts';
import type { WantedVolume } from './wanted-volumes.ts';

/** How long volumes stay attached that nobody needs and the node still shows as in use. Source: release 1.20. */
export const maxUnmountWaitMs = 360_000;

/** What is known of a volume on a node. */
export interface AttachedVolume {
  readonly key: string;
  readonly node: string;
  /** Several nodes may have it at once, or nothing is known of it but its name. */
  isShared: boolean;
  /** Otherwise it was tried, and may have come off. */
  isConfirmed: boolean;
  /** The node is told that it is there. */
  isReported: boolean;
  /** The node uses it, as far as it has said. */
  isMounted: boolean;
  /** Since when nobody needs it. */
  unneededSinceMs?: number | undefined;
}

/** What becomes of a volume that nobody needs on its node. Pure. */
export function decideDetaching(
  { isMounted, unneededSinceMs = 0 }: Pick<AttachedVolume, 'isMounted' | 'unneededSinceMs'>,
  nowMs: number,
): 'wait' | 'detach' | 'force' {
  if (nowMs - unneededSinceMs > maxUnmountWaitMs) return 'force';
  return isMounted ? 'wait' : 'detach';
}

/** One operation at a time for the volume, or for the volume on a node when several nodes may have it. */
export const operationKey = (key: string, node: string, isShared: boolean): string =>
  isShared ? `${node}/${key}` : key;

/** Nodes that keep a volume from being attached to another. Pure. */
export const nodesInTheWay = (
  { volume, node }: WantedVolume,
  attached: Iterable<AttachedVolume>,
): readonly string[] =>
  volume.isShared
    ? []
    : [...attached]
        .filter((other) => other.key === volume.key && other.isConfirmed && other.node !== node)
        .map((other) => other.node);

/** What a pod is told whose volume is elsewhere: it learns no names of other namespaces. `users` are the pods there. Pure. */
export function multiAttachMessage(name: string, pod: Pod, users: readonly Pod[]): string {
  const { namespace } = pod.metadata;
  const local = users.filter(({ metadata }) => metadata.namespace === namespace);
  const others = users.length - local.length;
  const names = local.map(({ metadata }) => metadata.name).join(', ');
  const elsewhere = `${others} pod(s) in different namespaces`;
  const used = (by: string): string => `Volume is already used by ${by}`;
  let why = "Volume is already exclusively attached to one node and can't be attached to another";
  if (local.length > 0) why = used(`pod(s) ${names}${others > 0 ? ` and ${elsewhere}` : ''}`);
  else if (others > 0) why = used(elsewhere);
  return `Multi-Attach error for volume "${name}" ${why}`;
}

/** Whether an attachment has come off; undefined is one that is gone. @throws Error when it will not */
export function isAttached(attachment: VolumeAttachment | undefined): boolean {
  if (attachment === undefined) throw new Error('volume attachment has been deleted');
  const { metadata, status } = attachment;
  if (metadata.deletionTimestamp) throw new Error('volume attachment is being deleted');
  if (status.attached) return true;
  if (status.attachError) throw new Error(status.attachError.message ?? '');
  return false;
}

/** Whether an attachment is undone. @throws Error with what its driver says */
export function isDetached(attachment: VolumeAttachment | undefined): boolean {
  if (attachment === undefined) return true;
  const { detachError } = attachment.status;
  if (detachError) throw new Error(detachError.message ?? '');
  return false;
}
