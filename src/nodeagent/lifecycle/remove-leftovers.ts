import type { Logger } from '../../base/index.ts';
import type { PodCgroups } from '../cgroups/index.ts';
import type { PodVolumes } from '../volumes/index.ts';
import { machineFiles, type PodFiles } from './pod-files.ts';

/** Where files and control groups of pods are, and which pods still need theirs. */
export interface LeftoversOptions {
  readonly volumes: Pick<PodVolumes, 'podsOnDisk' | 'unmount'>;
  readonly cgroups: Pick<PodCgroups, 'podsPresent' | 'removePod'> | undefined;
  /** Those of the machine when left out. */
  readonly files?: Pick<PodFiles, 'removeLogsByUid' | 'removeStaleLogs'> | undefined;
  /** Whether a pod is desired, terminating, or still known to the runtime. */
  readonly isKnown: (podUid: string) => boolean;
  readonly logger: Logger;
}

/**
 * Removes logs, folders, mounts and control groups of pods that nothing else is left of, after an agent was killed
 * while it removed them, and links to logs that are gone. What cannot be removed is logged, and stays for the next time.
 */
export async function removeLeftovers({
  volumes,
  cgroups,
  files = machineFiles,
  isKnown,
  logger,
}: LeftoversOptions): Promise<void> {
  const clear = async (
    what: string,
    list: () => Promise<readonly string[]>,
    remove: (podUid: string) => Promise<void>,
  ): Promise<void> => {
    const uids = await list().catch((error: unknown) => {
      logger.error('leftover pod listing failed', { what, error });
      return [];
    });
    for (const uid of uids) {
      try {
        if (!isKnown(uid)) await files.removeLogsByUid(uid); // first: what is listed leads to them
        if (!isKnown(uid)) await remove(uid); // it may have come back meanwhile
      } catch (error) {
        logger.error('leftover pod removal failed', { what, uid, error });
      }
    }
  };
  await clear(
    'volumes',
    () => volumes.podsOnDisk(),
    (uid) => volumes.unmount(uid),
  );
  if (cgroups !== undefined) {
    await clear(
      'cgroups',
      () => cgroups.podsPresent(),
      (uid) => cgroups.removePod(uid),
    );
  }
  await files.removeStaleLogs({ isKnown, logger });
}
