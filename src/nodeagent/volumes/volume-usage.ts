import type { Logger } from '../../base/index.ts';
import type { VolumeUsage } from './contract.ts';
import { describeError } from './describe-error.ts';
import { type FolderUsage, measureFileSystem, measureFolder } from './measure-folder.ts';
import type { MadeVolume } from './volume-tools.ts';

/** What those of the volumes take that can be measured; one that fails is left out. */
export async function measureVolumes(
  volumes: ReadonlyMap<string, MadeVolume>,
  { nowMs, logger }: { readonly nowMs: number; readonly logger: Logger },
): Promise<VolumeUsage[]> {
  const usages: VolumeUsage[] = [];
  for (const [name, volume] of volumes) {
    const { path, claim } = volume;
    try {
      const usage = await measureOne(volume);
      if (usage !== undefined) usages.push({ name, ...usage, atMs: nowMs, claim });
    } catch (error) {
      logger.debug('volume usage measurement failed', { path, error: describeError(error) });
    }
  }
  return usages;
}

async function measureOne({ path, measuredBy, measure }: MadeVolume): Promise<FolderUsage | undefined> {
  if (measure !== undefined) return measure();
  if (path === undefined || measuredBy === undefined) return undefined;
  return measuredBy === 'files' ? measureFolder(path) : measureFileSystem(path);
}
