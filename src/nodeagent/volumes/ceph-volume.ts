import type {
  CephFSPersistentVolumeSource,
  CephFSVolumeSource,
  PersistentVolume,
} from '../../apis/types/core-v1.ts';
import { readCephKey, withKeyFile } from './ceph-key.ts';
import { describeError } from './describe-error.ts';
import { joinMountOptions } from './mount-options.ts';
import { MountStepError } from './mount-step-error.ts';
import { findNetworkVolume } from './network-volume.ts';
import type { NodeNeed } from './node-check.ts';
import type { FoundVolume, VolumeJob } from './volume-tools.ts';

/** A CephFS volume of a pod or a persistent one. */
export interface CephSource {
  readonly name: string;
  readonly cephfs: CephFSVolumeSource | CephFSPersistentVolumeSource;
  /** Where the key is; undefined: in a file of the node. */
  readonly secret: { readonly namespace: string; readonly name: string } | undefined;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
}

/** The program that mount(8) runs for it. */
const needs: readonly NodeNeed[] = [{ kind: 'program', name: '/sbin/mount.ceph' }];

/** The source that a pod names itself; its secret is in the pod's namespace. */
export function cephOfPod(name: string, cephfs: CephFSVolumeSource, namespace: string): CephSource {
  const secretName = cephfs.secretRef?.name;
  const secret = secretName ? { namespace, name: secretName } : undefined;
  return { name, cephfs, secret, isReadOnly: cephfs.readOnly === true, mountOptions: [] };
}

/** The source that a persistent volume names; its secret is in the pod's namespace unless it says another. */
export function cephOfClaim(
  { metadata }: PersistentVolume,
  cephfs: CephFSPersistentVolumeSource,
  where: { readonly namespace: string } & Pick<CephSource, 'isReadOnly' | 'mountOptions'>,
): CephSource {
  const { namespace, ...how } = where;
  const { name, namespace: ofSecret } = cephfs.secretRef ?? {};
  const secret = name ? { namespace: ofSecret || namespace, name } : undefined;
  return { name: metadata.name ?? '', cephfs, secret, ...how };
}

/** A CephFS volume, mounted for one pod by the kernel's client. Source: `mount.ceph(8)`. */
export function findCephVolume(job: VolumeJob, source: CephSource): FoundVolume {
  const { name, isReadOnly } = source;
  return findNetworkVolume(job, {
    name,
    kind: 'cephfs',
    needs,
    isReadOnly,
    async mount(folder) {
      const key = await readCephKey(job, source.secret).catch((cause) => {
        throw new MountStepError('MountVolume.NewMounter initialization', describeError(cause), { cause });
      });
      await withKeyFile(job, { key, kind: 'cephfs' }, (keyFile) => mountCeph(job, source, folder, keyFile));
    },
  });
}

async function mountCeph(
  { tools }: VolumeJob,
  { cephfs, isReadOnly, mountOptions }: CephSource,
  target: string,
  keyFile: string | undefined,
): Promise<void> {
  const { monitors, path = '', user, secretFile } = cephfs;
  const name = user || 'admin';
  const source = `${(monitors ?? []).join(',')}:${path.startsWith('/') ? path : `/${path}`}`;
  // The monitors become an argument of `mount`, and must not be taken for an option.
  if (source.startsWith('-')) throw new Error(`invalid Ceph monitors: ${source}`);
  const options = joinMountOptions(mountOptions, [
    `name=${name}`,
    `secretfile=${keyFile ?? (secretFile || `/etc/ceph/${name}.secret`)}`,
    ...(isReadOnly ? ['ro'] : []),
  ]);
  await tools.mount.mount({ source, target, fsType: 'ceph', options });
}
