import type { Node } from '../../apis/types/core-v1.ts';
import type { VolumeAttachment } from '../../apis/types/storage-v1.ts';
import { attachableOf, attachmentNameOf, readKey, type VolumeSources } from './attachable-volume.ts';
import type { AttachedVolume } from './decide.ts';
import { placeKey } from './wanted-volumes.ts';

/**
 * What is attached where, by `placeKey`, as nodes and attachments say: what an earlier controller did. Nodes count first. An
 * attachment that somebody made under another name is nobody's here. Pure.
 */
export function readAttached(
  nodes: readonly Node[],
  attachments: readonly VolumeAttachment[],
  sources: VolumeSources,
): Map<string, AttachedVolume> {
  const attached = new Map<string, AttachedVolume>();
  const add = (volume: AttachedVolume): void => {
    const place = placeKey(volume.key, volume.node);
    if (!attached.has(place)) attached.set(place, volume);
  };
  for (const { metadata, status } of nodes) {
    for (const { name: key } of status.volumesAttached ?? []) {
      if (readKey(key, sources.dialect) === undefined) continue;
      const isMounted = status.volumesInUse?.includes(key) === true;
      const state = { isShared: true, isConfirmed: true, isReported: true, isMounted };
      add({ key, node: metadata.name ?? '', ...state });
    }
  }
  for (const { metadata, spec, status } of attachments) {
    const node = spec.nodeName;
    const volume = sources.volume(spec.source.persistentVolumeName ?? '');
    const { key, isShared = true } = (volume && attachableOf(volume, node, sources)) ?? {};
    const read = key === undefined ? undefined : readKey(key, sources.dialect);
    if (key === undefined || read === undefined) continue;
    if (attachmentNameOf({ ...read, node }) !== metadata.name) continue;
    const isConfirmed = status.attached && !metadata.deletionTimestamp;
    const isMounted = nodes.some(
      (one) => one.metadata.name === node && one.status.volumesInUse?.includes(key) === true,
    );
    add({ key, node, isShared, isConfirmed, isReported: false, isMounted });
  }
  return attached;
}
