import { posix } from 'node:path';
import type { PersistentVolume } from '../../apis/types/core-v1.ts';
import { volumeDeviceDirectory, volumeDirectory } from '../container-config/index.ts';
import { type ClaimedVolume, findClaimedVolume } from './claimed-volume.ts';
import { checkHostPath } from './host-path.ts';
import { linkLocalDevice, mountLocalVolume } from './local-volume.ts';
import type { UsedVolume } from './used-volumes.ts';
import { type FoundVolume, groupOf, type MadeVolume, type VolumeJob } from './volume-tools.ts';

/** A persistent volume may not be used on this node. */
export class NodeAffinityError extends Error {
  override readonly name = 'NodeAffinityError';
}

/** Finds the persistent volume behind a claim of the pod. @throws Error with the reference's message. */
export async function findPersistentVolume(
  job: VolumeJob,
  { isMounted, isDevice }: UsedVolume,
): Promise<FoundVolume | undefined> {
  const { pod, volume, tools } = job;
  const { namespace = '' } = pod.metadata;
  const { persistentVolumeClaim } = volume;
  if (!persistentVolumeClaim) return undefined;
  const claimed = await findClaimedVolume(namespace, persistentVolumeClaim, tools.objects);
  const { volumeMode = 'Filesystem' } = claimed.volume.spec;
  const refuse = (field: string): Error =>
    new Error(`volume ${volume.name} has volumeMode ${volumeMode}, but is specified in ${field}`);
  if (isMounted && volumeMode !== 'Filesystem') throw refuse('volumeMounts');
  if (isDevice && volumeMode !== 'Block') throw refuse('volumeDevices');
  const make = chooseMaker(job, claimed);
  if (make === undefined) return undefined;
  const claim = { namespace, name: persistentVolumeClaim.claimName };
  const groupId = readGroupId(job, claimed.volume);
  return {
    name: claimed.volume.metadata.name ?? '',
    plugin: tools.dialect.label(claimed.volume.spec.local ? 'local-volume' : 'host-path'),
    isDevice: volumeMode === 'Block',
    async make() {
      const required = claimed.volume.spec.nodeAffinity?.required;
      if (required && !tools.matchesNode(required))
        throw new NodeAffinityError('no matching NodeSelectorTerms');
      return { ...(await make()), claim, groupId };
    },
  };
}

type Make = () => Promise<MadeVolume>;

function chooseMaker(job: VolumeJob, { volume, isReadOnly }: ClaimedVolume): Make | undefined {
  const { local, hostPath, volumeMode } = volume.spec;
  const name = volume.metadata.name ?? '';
  if (local) {
    return volumeMode === 'Block'
      ? () => makeDevice(job, { name, source: local.path, isReadOnly })
      : () => makeLocal(job, { name, source: local.path, isReadOnly, volume });
  }
  if (!hostPath || volumeMode === 'Block') return undefined;
  return async () => {
    await checkHostPath(hostPath);
    return { path: hostPath.path, isReadOnly, needsSelinuxLabel: false };
  };
}

interface LocalSource {
  /** Of the persistent volume. */
  readonly name: string;
  readonly source: string;
  readonly isReadOnly: boolean;
}

async function makeLocal(
  { pod, podDir, podsFolder, tools }: VolumeJob,
  { name, source, isReadOnly, volume }: LocalSource & { readonly volume: PersistentVolume },
): Promise<MadeVolume> {
  const folder = volumeDirectory(podDir, tools.dialect.label('local-volume'), name);
  const policy = pod.spec.securityContext?.fsGroupChangePolicy;
  await mountLocalVolume({
    source,
    folder,
    podsFolder,
    isReadOnly,
    mountOptions: volume.spec.mountOptions ?? [],
    groupId: groupOf(pod),
    isByRootOnly: tools.hasGroupPolicy && policy === 'OnRootMismatch',
    mount: tools.mount,
  });
  return { path: folder, isReadOnly, needsSelinuxLabel: !isReadOnly, measuredBy: 'file-system' };
}

async function makeDevice(
  { podDir, tools }: VolumeJob,
  { name, source, isReadOnly }: LocalSource,
): Promise<MadeVolume> {
  const folder = volumeDeviceDirectory(podDir, tools.dialect.label('local-volume'));
  const devicePath = posix.join(folder, name);
  await linkLocalDevice(source, devicePath);
  return { devicePath, isReadOnly, needsSelinuxLabel: false };
}

function readGroupId({ tools }: VolumeJob, { metadata }: PersistentVolume): number | undefined {
  const text = metadata.annotations?.[tools.dialect.domain('pv.beta', 'gid')];
  const groupId = Number(text);
  return text !== undefined && /^\d{1,10}$/.test(text) && groupId > 0 ? groupId : undefined;
}
