import type { Logger } from '../../base/index.ts';
import type { VolumeUsage } from './contract.ts';
import { describeError } from './describe-error.ts';
import { measureFileSystem, measureFolder } from './measure-folder.ts';
import type { MadeVolume } from './volume-tools.ts';

/** What those of the volumes take that can be measured; one that fails is left out. */
export async function measureVolumes(
  volumes: ReadonlyMap<string, MadeVolume>,
  { nowMs, logger }: { readonly nowMs: number; readonly logger: Logger },
): Promise<VolumeUsage[]> {
  const usages: VolumeUsage[] = [];
  for (const [name, { path, measuredBy, claim }] of volumes) {
    if (path === undefined || measuredBy === undefined) continue;
    try {
      const usage = measuredBy === 'files' ? await measureFolder(path) : await measureFileSystem(path);
      usages.push({ name, ...usage, atMs: nowMs, claim });
    } catch (error) {
      logger.debug('volume usage measurement failed', { path, error: describeError(error) });
    }
  }
  return usages;
}
