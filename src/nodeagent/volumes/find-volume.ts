import { posix } from 'node:path';
import { podPluginDirectory, volumeDirectory } from '../container-config/index.ts';
import { cephOfPod, findCephVolume } from './ceph-volume.ts';
import { csiSourceOfPod } from './csi-source.ts';
import { diskSourceOfPod } from './disk-source.ts';
import { makeEmptyDir, mediumNeeds, memoryBound } from './empty-dir.ts';
import { fileVolumeKind, fileVolumeMedium, makeFileVolume } from './file-volumes.ts';
import { flexSourceOfPod } from './flex-source.ts';
import { findGitVolume } from './git-volume.ts';
import { findGlusterVolume } from './gluster-volume.ts';
import { checkHostPath } from './host-path.ts';
import { findMigratedVolume } from './migrated-volumes.ts';
import { findNfsVolume } from './nfs-volume.ts';
import { noPlugin } from './no-plugin.ts';
import { findPersistentVolume } from './persistent-volumes.ts';
import type { UsedVolume } from './used-volumes.ts';
import { type FoundVolume, groupOf, type MadeVolume, type VolumeJob } from './volume-tools.ts';

/**
 * Finds out what a volume of a pod is made from.
 *
 * @throws Error with release 1.20's message when it cannot be found, or is of a kind that this agent does not have.
 */
export async function findVolume(job: VolumeJob, used: UsedVolume): Promise<FoundVolume> {
  const { volume, tools } = job;
  const { name, emptyDir, hostPath, gitRepo, nfs, glusterfs, cephfs } = volume;
  const pluginOf = (kind: string): string => tools.dialect.label(kind);
  if (emptyDir) {
    const needs = mediumNeeds(emptyDir.medium ?? '');
    return { name, plugin: pluginOf('empty-dir'), needs, make: () => makeEmptyVolume(job) };
  }
  if (hostPath) {
    return {
      name,
      plugin: pluginOf('host-path'),
      async make() {
        await checkHostPath(hostPath);
        return { path: hostPath.path, isReadOnly: false, needsSelinuxLabel: false };
      },
    };
  }
  const kind = fileVolumeKind(volume);
  if (kind !== undefined) {
    const needs = mediumNeeds(fileVolumeMedium(kind));
    return { name, plugin: pluginOf(kind), needs, make: () => makeFileVolume(job) };
  }
  if (gitRepo) return findGitVolume(job, gitRepo);
  if (nfs) return findNfsVolume(job, { name, nfs, isReadOnly: nfs.readOnly === true, mountOptions: [] });
  if (glusterfs) {
    const { endpoints, path, readOnly } = glusterfs;
    // Only administrators, by persistent volumes, may name another namespace.
    const source = { glusterfs: { endpoints, path }, isReadOnly: readOnly === true };
    return findGlusterVolume(job, { name, ...source, mountOptions: [] });
  }
  if (cephfs) return findCephVolume(job, cephOfPod(name, cephfs, job.pod.metadata.namespace ?? ''));
  const csi = csiSourceOfPod(volume, job.pod);
  const driver = csi && (await tools.csiVolumes());
  if (csi !== undefined && driver !== undefined) return driver.find(job, csi);
  const disk = diskSourceOfPod(volume, job.pod.metadata.namespace ?? '');
  if (disk !== undefined) return (await tools.diskVolumes()).find(job, disk);
  const flex = flexSourceOfPod(volume, job.pod.metadata.namespace ?? '');
  const driven = flex && (await (await tools.flexVolumes())?.find(job, flex));
  if (driven !== undefined) return driven;
  const migrated = await findMigratedVolume(job);
  if (migrated !== undefined) return migrated;
  const persistent = await findPersistentVolume(job, used);
  if (persistent !== undefined) return persistent;
  throw noPlugin(name, volume);
}

async function makeEmptyVolume({ pod, podDir, volume, context, tools }: VolumeJob): Promise<MadeVolume> {
  const { medium = '', sizeLimit } = volume.emptyDir ?? {};
  const { dialect, mount, boundsMemory } = tools;
  const plugin = dialect.label('empty-dir');
  const folder = volumeDirectory(podDir, plugin, volume.name);
  await makeEmptyDir({
    folder,
    markFolder: posix.join(podPluginDirectory(podDir, plugin), volume.name),
    medium,
    pod,
    groupId: groupOf(pod),
    maxBytes: boundsMemory ? memoryBound({ pod, sizeLimit, allocatable: context.allocatable }) : undefined,
    mount,
  });
  return { path: folder, isReadOnly: false, needsSelinuxLabel: true, measuredBy: 'files' };
}
