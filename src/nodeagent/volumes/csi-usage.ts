import type { Logger } from '../../base/index.ts';
import type { CsiDriver } from '../csi/index.ts';
import type { FolderUsage } from './measure-folder.ts';

/** The published volume that is measured. */
export interface CsiUsageOptions {
  readonly plugin: string;
  readonly handle: string;
  readonly path: string;
  readonly logger: Logger;
}

const units = { bytes: 1, inodes: 2 };

/** What the driver says that a volume takes; undefined when it cannot tell. @throws GrpcError */
export async function measureCsiVolume(
  driver: CsiDriver,
  { plugin, handle, path, logger }: CsiUsageOptions,
): Promise<FolderUsage | undefined> {
  if (!(await driver.can('GET_VOLUME_STATS'))) return undefined;
  const { usage } = await driver.call('NodeGetVolumeStats', { volume_id: handle, volume_path: path });
  const figures = (unit: number) => usage.find((one) => one.unit === unit);
  const [bytes, inodes] = [figures(units.bytes), figures(units.inodes)];
  if (bytes === undefined && inodes === undefined) {
    logger.debug('CSI driver gave no figures of a volume', { plugin, driver: driver.name, handle });
    return undefined;
  }
  return {
    usedBytes: bytes?.used ?? 0,
    availableBytes: bytes?.available ?? 0,
    capacityBytes: bytes?.total ?? 0,
    inodesUsed: inodes?.used ?? 0,
    inodesFree: inodes?.available ?? 0,
    inodes: inodes?.total ?? 0,
  };
}
