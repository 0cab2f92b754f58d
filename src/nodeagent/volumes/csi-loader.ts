import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { MigratedKind } from '../../apis/csi-migration/index.ts';
import { type Logger, namesIn } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podDirectory } from '../container-config/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import { csiFolder, parseVolumeData } from './csi-files.ts';
import { csiVolumeKey } from './csi-source.ts';
import type { CsiVolumesOptions } from './csi-state.ts';
import { describeError, isMissing } from './describe-error.ts';
import type { MountCommands } from './mount-commands.ts';
import type { CsiVolumes } from './volume-tools.ts';

/** Drivers of the container storage interface, who attaches their volumes, and what gates switch. */
export type CsiSettings = Pick<CsiVolumesOptions, 'drivers' | 'attacher' | 'nodeName' | 'features'> & {
  /** Built-in kinds whose volumes drivers serve; default none. */
  readonly migratedKinds?: readonly MigratedKind[] | undefined;
};

/** What the volumes of drivers need of the node and of the API server. */
export interface CsiLoaderOptions {
  readonly rootDirectory: string;
  readonly csi?: CsiSettings | undefined;
  readonly dialect: Dialect;
  readonly objects: AgentObjects | undefined;
  readonly mount: MountCommands;
  readonly logger: Logger;
}

/** Volumes of drivers, whose code is loaded with the first such volume. */
export interface CsiLoader {
  csiVolumes(): Promise<CsiVolumes | undefined>;
  /** As `CsiVolumes.unmountPod`. @throws Error */
  unmountPod(podUid: string): Promise<void>;
  /** Names of volumes that are attached to this node, as its status has them. */
  inUse(): readonly string[];
}

/** Loads nothing yet. */
export function createCsiLoader(options: CsiLoaderOptions): CsiLoader {
  const { rootDirectory, csi, dialect, objects } = options;
  const plugin = dialect.label('csi');
  const used = new Set<string>();
  let isRead = false;
  let loading: Promise<CsiVolumes> | undefined;

  async function csiVolumes(): Promise<CsiVolumes | undefined> {
    if (csi === undefined || objects === undefined) return undefined;
    loading ??= import('./csi-volumes.ts').then(({ createCsiVolumes }) =>
      createCsiVolumes({ ...options, ...csi, objects, used }),
    );
    return loading;
  }

  return {
    csiVolumes,
    async unmountPod(podUid) {
      const podDir = podDirectory(rootDirectory, podUid);
      const name = plugin.replaceAll('/', '~');
      const folders = ['volumes', 'volumeDevices'].map((kind) => posix.join(podDir, kind, name));
      const found = await Promise.all(folders.map(namesIn));
      if (found.every((names) => names.length === 0)) return;
      const volumes = await csiVolumes();
      if (volumes === undefined) throw new Error(`${folders[0]}: left by drivers, which need an API server`);
      await volumes.unmountPod(podUid);
    },
    inUse() {
      if (!isRead) for (const key of readStaged(options, plugin)) used.add(key);
      isRead = true;
      return [...used].sort();
    },
  };
}

/** Volumes that an earlier process of the agent has staged. What cannot be read is logged, and not in use then. */
function readStaged({ rootDirectory, dialect, logger }: CsiLoaderOptions, plugin: string): string[] {
  const folder = csiFolder(rootDirectory, dialect);
  const folders = [
    ...namesBelow(posix.join(folder, 'pv')),
    ...namesBelow(posix.join(folder, 'volumeDevices')).map((path) => posix.join(path, 'data')),
  ];
  return folders.flatMap((path) => {
    const file = posix.join(path, 'vol_data.json');
    try {
      const { driverName, volumeHandle } = parseVolumeData(readFileSync(file, 'utf8'), file);
      return [csiVolumeKey(plugin, driverName, volumeHandle)];
    } catch (error) {
      if (!isMissing(error)) logger.error('volume data not readable', { file, error: describeError(error) });
      return [];
    }
  });
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => posix.join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
