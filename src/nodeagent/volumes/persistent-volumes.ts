import { posix } from 'node:path';
import type {
  HostPathVolumeSource,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimVolumeSource,
  Pod,
} from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { volumeDeviceDirectory, volumeDirectory } from '../container-config/index.ts';
import { cephOfClaim, findCephVolume } from './ceph-volume.ts';
import { type ClaimedVolume, findClaimedVolume } from './claimed-volume.ts';
import { csiSourceOfClaim } from './csi-source.ts';
import { diskSourceOfClaim } from './disk-source.ts';
import { expandClaimed } from './expand-claim.ts';
import { flexSourceOfClaim } from './flex-source.ts';
import { findGlusterVolume } from './gluster-volume.ts';
import { checkHostPath } from './host-path.ts';
import { isBlockDevice, type MountedDevice } from './local-devices.ts';
import { linkLocalDevice, mountLocalVolume } from './local-volume.ts';
import { migrateClaimed } from './migrated-volumes.ts';
import { mountOptionsOf } from './mount-options.ts';
import { MountStepError } from './mount-step-error.ts';
import { findNfsVolume } from './nfs-volume.ts';
import { noPlugin } from './no-plugin.ts';
import type { UsedVolume } from './used-volumes.ts';
import { type FoundVolume, groupOf, type MadeVolume, type VolumeJob } from './volume-tools.ts';

/** A persistent volume may not be used on this node. */
export class NodeAffinityError extends Error {
  override readonly name = 'NodeAffinityError';
}

/** Finds the persistent volume behind a claim of the pod. @throws Error with release 1.20's message. */
export async function findPersistentVolume(
  job: VolumeJob,
  { isMounted, isDevice }: UsedVolume,
): Promise<FoundVolume | undefined> {
  const { pod, volume, tools } = job;
  const { namespace = '' } = pod.metadata;
  const source = claimSourceOf(job);
  if (source === undefined) return undefined;
  const claimed = migrateClaimed(await findClaimedVolume(namespace, source, tools.objects), tools);
  if (volume.ephemeral && !isControlledBy(claimed.claim, pod)) {
    throw new Error(
      `error processing PVC ${namespace}/${source.claimName}: not the ephemeral PVC for the pod`,
    );
  }
  const { volumeMode = 'Filesystem' } = claimed.volume.spec;
  const refuse = (field: string): Error =>
    new Error(`volume ${volume.name} has volumeMode ${volumeMode}, but is specified in ${field}`);
  if (isMounted && volumeMode !== 'Filesystem') throw refuse('volumeMounts');
  if (isDevice && volumeMode !== 'Block') throw refuse('volumeDevices');
  const found = await chooseVolume(job, claimed);
  if (found === undefined) throw noPlugin(claimed.volume.metadata.name ?? '', claimed.volume.spec);
  const claim = { namespace, name: source.claimName };
  const groupId = readGroupId(job, claimed.volume);
  return {
    ...found,
    async make() {
      const required = claimed.volume.spec.nodeAffinity?.required;
      if (required && !tools.matchesNode(required))
        throw new NodeAffinityError('no matching NodeSelectorTerms');
      return { ...(await found.make()), claim, groupId };
    },
  };
}

/** The claim that a volume names, or the one that is made for it (KEP 1698). @throws Error without the gate */
function claimSourceOf({ pod, volume, tools }: VolumeJob): PersistentVolumeClaimVolumeSource | undefined {
  const { name, persistentVolumeClaim, ephemeral } = volume;
  if (persistentVolumeClaim) return persistentVolumeClaim;
  if (!ephemeral) return undefined;
  if (!tools.hasGenericEphemeral) {
    const agent = tools.dialect.spell('nodeagent');
    throw new Error(`volume ${name} is a generic ephemeral volume, but that feature is disabled in ${agent}`);
  }
  return { claimName: `${pod.metadata.name ?? ''}-${name}`, readOnly: ephemeral.readOnly };
}

const isControlledBy = ({ metadata }: PersistentVolumeClaim, pod: Pod): boolean =>
  metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === pod.metadata.uid) ===
  true;

async function chooseVolume(job: VolumeJob, claimed: ClaimedVolume): Promise<FoundVolume | undefined> {
  const { volume, isReadOnly } = claimed;
  const { local, hostPath, nfs, glusterfs, cephfs, volumeMode } = volume.spec;
  const { dialect } = job.tools;
  const name = volume.metadata.name ?? '';
  if (local) {
    const plugin = dialect.label('local-volume');
    const source = { name, source: local.path, isReadOnly };
    return volumeMode === 'Block'
      ? { name, plugin, isDevice: true, make: () => makeDevice(job, source) }
      : { name, plugin, needs: [], make: () => makeLocal(job, { ...source, claimed }) };
  }
  const csi = csiSourceOfClaim(volume, claimed);
  if (csi !== undefined) return (await job.tools.csiVolumes())?.find(job, csi);
  const { namespace = '' } = job.pod.metadata;
  const disk = diskSourceOfClaim(volume, { namespace, isReadOnly, dialect });
  if (disk !== undefined) return (await job.tools.diskVolumes()).find(job, disk);
  if (volumeMode === 'Block') return undefined;
  const mountOptions = mountOptionsOf(volume, dialect);
  if (nfs) return findNfsVolume(job, { name, nfs, isReadOnly, mountOptions });
  if (glusterfs) return findGlusterVolume(job, { name, glusterfs, isReadOnly, mountOptions });
  if (cephfs) {
    const where = { namespace, isReadOnly, mountOptions };
    return findCephVolume(job, cephOfClaim(volume, cephfs, where));
  }
  const found = hostPath ? findHostPath(claimed, hostPath, dialect) : await findFlex(job, claimed);
  return found && (mountOptions.length === 0 ? found : { ...found, make: refuseMountOptions });
}

function findHostPath(
  { volume, isReadOnly }: ClaimedVolume,
  hostPath: HostPathVolumeSource,
  dialect: Dialect,
): FoundVolume {
  return {
    name: volume.metadata.name ?? '',
    plugin: dialect.label('host-path'),
    async make() {
      await checkHostPath(hostPath);
      return { path: hostPath.path, isReadOnly, needsSelinuxLabel: false };
    },
  };
}

async function findFlex(
  job: VolumeJob,
  { volume, isReadOnly }: ClaimedVolume,
): Promise<FoundVolume | undefined> {
  const source = flexSourceOfClaim(volume, { namespace: job.pod.metadata.namespace ?? '', isReadOnly });
  return source && (await job.tools.flexVolumes())?.find(job, source);
}

/** For kinds that are not mounted by mount(8). */
async function refuseMountOptions(): Promise<never> {
  const message = 'Mount options are not supported for this volume type';
  throw new MountStepError('MountVolume.MountOptionSupport check', message);
}

interface LocalSource {
  /** Of the persistent volume. */
  readonly name: string;
  readonly source: string;
  readonly isReadOnly: boolean;
}

async function makeLocal(job: VolumeJob, local: LocalMount): Promise<MadeVolume> {
  const { name, source, isReadOnly, claimed } = local;
  const { volume } = claimed;
  const { localDevices, dialect } = job.tools;
  const mountOptions = mountOptionsOf(volume, dialect);
  if (!(await isBlockDevice(source))) return bindLocal(job, { ...local, mountOptions });
  const fsType = volume.spec.local?.fsType ?? '';
  const podUid = job.pod.metadata.uid ?? '';
  const device = { podUid, name, device: source, fsType, isReadOnly, mountOptions };
  return localDevices.withMount(device, async (mounted) => {
    await growLocal(job, claimed, mounted);
    return bindLocal(job, { ...local, source: mounted.path, mountOptions: [] });
  });
}

type LocalMount = LocalSource & { readonly claimed: ClaimedVolume };

async function growLocal(
  { pod, tools }: VolumeJob,
  claimed: ClaimedVolume,
  { isInUse, grow }: MountedDevice,
): Promise<void> {
  const { objects, growth, localDevices } = tools;
  if (objects === undefined || growth === 'never' || (isInUse && growth === 'unused')) return;
  const { isReadOnly } = claimed;
  const { expanded } = localDevices;
  const expansion = { pod, claimed, isReadOnly, isInUse, step: 'MountDevice' as const, expanded, grow };
  await expandClaimed(expansion, objects, tools);
}

async function bindLocal(
  { pod, podDir, podsFolder, tools }: VolumeJob,
  { name, source, isReadOnly, mountOptions }: LocalSource & { readonly mountOptions: readonly string[] },
): Promise<MadeVolume> {
  const folder = volumeDirectory(podDir, tools.dialect.label('local-volume'), name);
  const policy = pod.spec.securityContext?.fsGroupChangePolicy;
  await mountLocalVolume({
    source,
    folder,
    podsFolder,
    isReadOnly,
    mountOptions,
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
