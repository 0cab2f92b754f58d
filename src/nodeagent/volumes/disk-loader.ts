import { readFileSync } from 'node:fs';
import { asJsonObject, asText, errorText, type Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { DiskHost } from '../disks/disk-host.ts';
import { diskFiles } from './disk-files.ts';
import type { MountCommands } from './mount-commands.ts';
import type { DiskVolumes } from './volume-tools.ts';

/** Where disks are on the node, by what means they come there, and where they are mounted. */
export interface DiskLoaderOptions {
  readonly rootDirectory: string;
  readonly dialect: Dialect;
  readonly mount: MountCommands;
  readonly host: DiskHost;
  readonly logger: Logger;
}

/** Disks of storage networks, whose code is loaded with the first of them. */
export interface DiskLoader {
  diskVolumes(): Promise<DiskVolumes>;
  /** As `DiskVolumes.release`. @throws Error */
  release(podUid: string): Promise<void>;
  /** Names of disks that are on this node, as its status has them. */
  inUse(): readonly string[];
}

/** Loads nothing yet. */
export function createDiskLoader(options: DiskLoaderOptions): DiskLoader {
  const { rootDirectory, dialect } = options;
  const used = new Set<string>();
  let isRead = false;
  let loading: Promise<DiskVolumes> | undefined;

  async function diskVolumes(): Promise<DiskVolumes> {
    loading ??= import('./disk-volumes.ts').then(({ createDiskVolumes }) =>
      createDiskVolumes({ ...options, used }),
    );
    return loading;
  }

  return {
    diskVolumes,
    async release(podUid) {
      if (diskFiles(rootDirectory, dialect).length > 0) await (await diskVolumes()).release(podUid);
    },
    inUse() {
      if (!isRead) for (const key of readKeys(options)) used.add(key);
      isRead = true;
      return [...used].sort();
    },
  };
}

/** Disks that an earlier process of the agent has brought. What cannot be read is logged, and not in use then. */
function readKeys({ rootDirectory, dialect, logger }: DiskLoaderOptions): string[] {
  return diskFiles(rootDirectory, dialect).flatMap((file) => {
    try {
      const { kind, uniqueName } = asJsonObject(JSON.parse(readFileSync(file, 'utf8')));
      return [`${dialect.label(asText(kind))}/${asText(uniqueName)}`];
    } catch (error) {
      logger.error('disk not readable', { file, error: errorText(error) });
      return [];
    }
  });
}
