import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { isIP } from 'node:net';
import { posix } from 'node:path';
import type { GlusterfsPersistentVolumeSource } from '../../apis/types/core-v1.ts';
import { notFound } from '../../machinery/errors/index.ts';
import { describeError } from './describe-error.ts';
import type { MountRequest } from './mount-commands.ts';
import { joinMountOptions } from './mount-options.ts';
import { MountStepError } from './mount-step-error.ts';
import { findNetworkVolume } from './network-volume.ts';
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
  const { name, isReadOnly } = source;
  return findNetworkVolume(job, {
    name,
    kind: 'glusterfs',
    needs,
    isReadOnly,
    async mount(folder) {
      const servers = await readServers(job, source).catch((cause) => {
        throw new MountStepError('MountVolume.NewMounter initialization', describeError(cause), { cause });
      });
      await mountGluster(job, source, folder, servers);
    },
  });
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

async function mountGluster(
  { pod, podsFolder, tools }: VolumeJob,
  { name, glusterfs, isReadOnly, mountOptions }: GlusterSource,
  folder: string,
  servers: readonly string[],
): Promise<void> {
  const [server] = servers;
  if (server === undefined) {
    throw new Error('failed to execute mount command:[no valid ipaddress found in endpoint address list]');
  }
  const isGiven = (option: string): boolean => mountOptions.some((one) => one.startsWith(option));
  // The pods' folder is in the root folder, as that of plugins is.
  const logFolder = posix.join(posix.dirname(podsFolder), 'plugins', tools.dialect.label('glusterfs'), name);
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
  const source = `${server}:${glusterfs.path}`;
  try {
    await mountOrRetry({ source, target: folder, fsType: 'glusterfs', options }, tools);
  } catch (cause) {
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

/** Bytes at the log's end that are looked at: two lines are shorter. */
const maxBytes = 8192;

/**
 * The last two lines of the log in which the GlusterFS client says why a mount failed, or, in release 1.20's words, that
 * there is none; empty when nothing was logged. Never fails: it is part of another error's text.
 */
async function readGlusterLog(path: string | undefined, podName: string): Promise<string> {
  if (path === undefined) return `log file does not exist for pod ${podName}`;
  try {
    await using file = await open(path, 'r');
    const lines = (await readEnd(file)).split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines
      .slice(-2)
      .map((line) => `\n${line}`)
      .join('')
      .concat(lines.length === 0 ? '' : '\n');
  } catch {
    return `could not open log file for pod ${podName}`;
  }
}

async function readEnd(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const position = Math.max(0, size - maxBytes);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(maxBytes), position });
  return buffer.toString('utf8', 0, bytesRead);
}
