import { mkdir } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import type { NFSVolumeSource } from '../../apis/types/core-v1.ts';
import { volumeDirectory } from '../container-config/index.ts';
import { isMountPoint, type MountCommands } from './mount-commands.ts';
import { joinMountOptions } from './mount-options.ts';
import type { NodeNeed } from './node-check.ts';
import type { FoundVolume, VolumeJob } from './volume-tools.ts';

/** An NFS volume of a pod or a persistent one. */
export interface NfsSource {
  readonly name: string;
  readonly nfs: NFSVolumeSource;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
}

/** Programs that mount(8) runs for it. */
const needs: readonly NodeNeed[] = [
  { kind: 'program', name: '/sbin/mount.nfs' },
  { kind: 'program', name: '/sbin/mount.nfs4' },
];

/** A folder of an NFS server for one pod. */
export function findNfsVolume({ podDir, tools }: VolumeJob, source: NfsSource): FoundVolume {
  const { name, nfs, isReadOnly, mountOptions } = source;
  const plugin = tools.dialect.label('nfs');
  return {
    name,
    plugin,
    needs,
    async make() {
      const folder = volumeDirectory(podDir, plugin, name);
      await mountNfsVolume({ source: nfs, folder, isReadOnly, mountOptions, mount: tools.mount });
      return { path: folder, isReadOnly, needsSelinuxLabel: false, measuredBy: 'file-system' };
    },
  };
}

/** The NFS export that is mounted, and where. */
export interface NfsVolumeOptions {
  readonly source: NFSVolumeSource;
  readonly folder: string;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
  readonly mount: MountCommands;
}

/** Mounts a folder of an NFS server for one pod, unless it is mounted already. @throws Error */
export async function mountNfsVolume(options: NfsVolumeOptions): Promise<void> {
  const { source, folder, isReadOnly, mountOptions, mount } = options;
  const { server, path } = source;
  // The server becomes an argument of `mount`, and must not be taken for an option.
  if (server.startsWith('-')) throw new Error(`invalid NFS server: ${server}`);
  if (await isMountPoint(mount, folder)) return;
  await mkdir(folder, { recursive: true, mode: 0o750 });
  await mount.mount({
    source: `${isIPv6(server) ? `[${server}]` : server}:${path}`,
    target: folder,
    fsType: 'nfs',
    options: joinMountOptions(mountOptions, isReadOnly ? ['ro'] : []),
  });
}
