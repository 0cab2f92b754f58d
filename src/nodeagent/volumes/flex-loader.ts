import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podDirectory } from '../container-config/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import { isMissing } from './describe-error.ts';
import type { Attacher } from './flex-devices.ts';
import { readDeviceKeys } from './flex-mounts.ts';
import type { MountCommands } from './mount-commands.ts';
import type { FlexVolumes } from './volume-tools.ts';

/** Third-party drivers of volumes, and who attaches their devices. */
export interface VolumePlugins {
  /** Absolute folder of the drivers; read when a volume of one is requested. */
  readonly folder: string;
  readonly attacher: Attacher;
}

/** The drivers of FlexVolumes, and what their mounts need of the node and of the API server. */
export interface FlexLoaderOptions {
  readonly rootDirectory: string;
  readonly plugins: VolumePlugins | undefined;
  readonly dialect: Dialect;
  readonly objects: AgentObjects | undefined;
  readonly mount: MountCommands;
  readonly logger: Logger;
}

/** Volumes of third-party drivers, whose code is loaded with the first such volume. */
export interface FlexLoader {
  flexVolumes(): Promise<FlexVolumes | undefined>;
  /** As `FlexVolumes.unmountPod`. @throws Error */
  unmountPod(podUid: string): Promise<void>;
  /** Names of volumes whose devices are on this node, as its status has them. */
  inUse(): readonly string[];
}

/** Folders of volumes that no driver has made. */
const ownKinds = [
  'empty-dir',
  'configmap',
  'secret',
  'downward-api',
  'projected',
  'local-volume',
  'nfs',
  'glusterfs',
  'cephfs',
  'iscsi',
  'fc',
  'rbd',
  'host-path',
  'csi',
];

/** Loads nothing yet. */
export function createFlexLoader(options: FlexLoaderOptions): FlexLoader {
  const { rootDirectory, plugins, dialect } = options;
  const own = new Set(ownKinds.map((kind) => dialect.label(kind).replaceAll('/', '~')));
  const used = new Set<string>();
  let isRead = false;
  let loading: Promise<FlexVolumes> | undefined;

  async function flexVolumes(): Promise<FlexVolumes | undefined> {
    if (plugins === undefined) return undefined;
    const { folder: pluginFolder, attacher } = plugins;
    loading ??= import('./flex-volumes.ts').then(({ createFlexVolumes }) =>
      createFlexVolumes({ ...options, pluginFolder, attacher, used }),
    );
    return loading;
  }

  return {
    flexVolumes,
    async unmountPod(podUid) {
      const folder = posix.join(podDirectory(rootDirectory, podUid), 'volumes');
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      if (names.some((name) => !own.has(name))) await (await flexVolumes())?.unmountPod(podUid);
    },
    inUse() {
      if (plugins === undefined) return [];
      if (!isRead) for (const key of readDeviceKeys(rootDirectory, dialect)) used.add(key);
      isRead = true;
      return [...used].sort();
    },
  };
}
