import { kindOf, translatePersistentVolume, translatePodVolume } from '../../apis/csi-migration/index.ts';
import type { ClaimedVolume } from './claimed-volume.ts';
import { csiSourceOfClaim } from './csi-source.ts';
import type { FoundVolume, VolumeJob, VolumeTools } from './volume-tools.ts';

/**
 * The driver's volume in place of one of a built-in kind that a pod describes; undefined where no gate leaves its kind to a
 * driver, or nobody calls drivers.
 *
 * @throws Error with release 1.20's message for a source that no driver can be told
 */
export async function findMigratedVolume(job: VolumeJob): Promise<FoundVolume | undefined> {
  const { pod, volume, tools } = job;
  const kind = kindOf(volume, tools.migratedKinds);
  if (kind === undefined) return undefined;
  const { namespace = '' } = pod.metadata;
  const translated = translatePodVolume(volume, kind, { namespace, dialect: tools.dialect });
  const source = csiSourceOfClaim(translated, { isReadOnly: false });
  return source && (await tools.csiVolumes())?.find(job, source);
}

/** What is behind a claim, as the driver's volume where a gate leaves its kind to one. @throws Error as above */
export function migrateClaimed(
  claimed: ClaimedVolume,
  { migratedKinds, dialect }: Pick<VolumeTools, 'migratedKinds' | 'dialect'>,
): ClaimedVolume {
  const kind = kindOf(claimed.volume.spec, migratedKinds);
  if (kind === undefined) return claimed;
  return { ...claimed, volume: translatePersistentVolume(claimed.volume, kind, dialect) };
}
