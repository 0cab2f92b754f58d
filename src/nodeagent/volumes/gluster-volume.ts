import { mkdir, rmdir } from 'node:fs/promises';
import { isIP } from 'node:net';
import { posix } from 'node:path';
import type { GlusterfsPersistentVolumeSource } from '../../apis/types/core-v1.ts';
import { notFound } from '../../machinery/errors/index.ts';
import { volumeDirectory } from '../container-config/index.ts';
import { describeError } from './describe-error.ts';
import { readGlusterLog } from './gluster-log.ts';
import { isMountPoint, type MountRequest } from './mount-commands.ts';
import { joinMountOptions } from './mount-options.ts';
import { MountStepError } from './mount-step-error.ts';
import type { NodeNeed } from './node-check.ts';
import type { FoundVolume, VolumeJob, VolumeTools } from './volume-tools.ts';

/** A GlusterFS volume of a pod or a persistent one. */
export interface GlusterSource {
  readonly name: string;
  readonly glusterfs: GlusterfsPersistentVolumeSource;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
}

/** The program that mount(8) runs for it. */
const needs: readonly NodeNeed[] = [{ kind: 'program', name: '/sbin/mount.glusterfs' }];

/** Clients that do not know the option `auto_unmount` say one of these. */
const unknownOption = /Invalid option auto_unmount|Invalid argument/;

/** A GlusterFS volume, mounted for one pod; its servers are the addresses of an `Endpoints` object. */
export function findGlusterVolume(job: VolumeJob, source: GlusterSource): FoundVolume {
  const { podDir, tools } = job;
  const { name, isReadOnly } = source;
  const plugin = tools.dialect.label('glusterfs');
  return {
    name,
    plugin,
    needs,
    async make() {
      const folder = volumeDirectory(podDir, plugin, name);
      const made = { path: folder, isReadOnly, needsSelinuxLabel: false, measuredBy: 'file-system' } as const;
      if (await isMountPoint(tools.mount, folder)) return made;
      const servers = await readServers(job, source).catch((cause) => {
        throw new MountStepError('MountVolume.NewMounter initialization', describeError(cause), { cause });
      });
      await mountGluster(job, source, { plugin, folder, servers });
      return made;
    },
  };
}

/** Addresses of all servers, each once, in order. @throws Error with release 1.20's message */
async function readServers({ pod, tools }: VolumeJob, { glusterfs }: GlusterSource): Promise<string[]> {
  const { endpoints: name, endpointsNamespace } = glusterfs;
  const namespace = endpointsNamespace ?? pod.metadata.namespace ?? '';
  if (name === '') throw new Error('no glusterFS endpoint specified');
  if (endpointsNamespace === '') {
    throw new Error('endpointnamespace field set, but no endpointnamespace specified');
  }
  if (tools.objects === undefined) throw new Error('failed to get an API client to initialize mounter');
  const found = await tools.objects.endpoints(namespace, name);
  if (found === undefined) throw notFound({ group: '', resource: 'endpoints' }, name);
  const all = (found.subsets ?? []).flatMap(({ addresses }) => (addresses ?? []).map(({ ip }) => ip));
  // An address becomes an argument and an option of `mount`.
  return [...new Set(all)].filter((ip) => isIP(ip) !== 0);
}

interface GlusterMount {
  readonly plugin: string;
  readonly folder: string;
  readonly servers: readonly string[];
}

async function mountGluster(
  { pod, podsFolder, tools }: VolumeJob,
  { name, glusterfs, isReadOnly, mountOptions }: GlusterSource,
  { plugin, folder, servers }: GlusterMount,
): Promise<void> {
  const [server] = servers;
  if (server === undefined) {
    throw new Error('failed to execute mount command:[no valid ipaddress found in endpoint address list]');
  }
  const isGiven = (option: string): boolean => mountOptions.some((one) => one.startsWith(option));
  // The pods' folder is in the root folder, as that of plugins is.
  const logFolder = posix.join(posix.dirname(podsFolder), 'plugins', plugin, name);
  const logFile = isGiven('log-file')
    ? undefined
    : posix.join(logFolder, `${pod.metadata.name ?? ''}-glusterfs.log`);
  if (logFile !== undefined) await mkdir(logFolder, { recursive: true, mode: 0o750 });
  const options = joinMountOptions(mountOptions, [
    ...(isReadOnly ? ['ro'] : []),
    ...(logFile === undefined ? [] : [`log-file=${logFile}`]),
    ...(isGiven('log-level') ? [] : ['log-level=ERROR']),
    `backup-volfile-servers=${servers.join(':')}`,
    'auto_unmount',
  ]);
  await mkdir(folder, { recursive: true, mode: 0o750 });
  const source = `${server}:${glusterfs.path}`;
  try {
    await mountOrRetry({ source, target: folder, fsType: 'glusterfs', options }, tools);
  } catch (cause) {
    await clean(folder, tools);
    const log = await readGlusterLog(logFile, pod.metadata.name ?? '');
    const pulled =
      'the following error information was pulled from the glusterfs log to help diagnose this issue';
    const hint = log === '' ? '' : `, ${pulled}: ${log}`;
    throw new Error(`mount failed: ${describeError(cause)}${hint}`, { cause });
  }
}

async function mountOrRetry(request: MountRequest, { mount }: VolumeTools): Promise<void> {
  try {
    await mount.mount(request);
  } catch (error) {
    if (!unknownOption.test(describeError(error))) throw error;
    const options = request.options?.filter((option) => option !== 'auto_unmount');
    await mount.mount({ ...request, options });
  }
}

async function clean(folder: string, { mount }: VolumeTools): Promise<void> {
  // What cannot be undone now is undone when the pod is removed; the mount's own error says what went wrong.
  const ignore = (): void => {};
  if (await isMountPoint(mount, folder)) await mount.unmount(folder).catch(ignore);
  await rmdir(folder).catch(ignore);
}
