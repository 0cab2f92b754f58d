import { isIPv6 } from 'node:net';
import type { NFSVolumeSource } from '../../apis/types/core-v1.ts';
import { joinMountOptions } from './mount-options.ts';
import { findNetworkVolume } from './network-volume.ts';
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
export function findNfsVolume(
  job: VolumeJob,
  { name, nfs, isReadOnly, mountOptions }: NfsSource,
): FoundVolume {
  const { server, path } = nfs;
  return findNetworkVolume(job, {
    name,
    kind: 'nfs',
    needs,
    isReadOnly,
    async mount(target) {
      // The server becomes an argument of `mount`, and must not be taken for an option.
      if (server.startsWith('-')) throw new Error(`invalid NFS server: ${server}`);
      const source = `${isIPv6(server) ? `[${server}]` : server}:${path}`;
      const options = joinMountOptions(mountOptions, isReadOnly ? ['ro'] : []);
      await job.tools.mount.mount({ source, target, fsType: 'nfs', options });
    },
  });
}
