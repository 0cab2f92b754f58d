import { mkdir, rmdir } from 'node:fs/promises';
import { volumeDirectory } from '../container-config/index.ts';
import { isMountPoint, type MountCommands } from './mount-commands.ts';
import type { NodeNeed } from './node-check.ts';
import type { FoundVolume, VolumeJob } from './volume-tools.ts';

/** A volume on servers, which a program of its kind mounts. */
export interface NetworkVolume {
  readonly name: string;
  readonly kind: 'nfs' | 'glusterfs' | 'cephfs';
  readonly needs: readonly NodeNeed[];
  readonly isReadOnly: boolean;
  /** Mounts it at the folder, which is there. @throws Error */
  readonly mount: (folder: string) => Promise<void>;
}

/** The volume for one pod: mounted unless it is already; a mount that fails leaves no folder. */
export function findNetworkVolume({ podDir, tools }: VolumeJob, volume: NetworkVolume): FoundVolume {
  const { name, kind, needs, isReadOnly } = volume;
  const plugin = tools.dialect.label(kind);
  return {
    name,
    plugin,
    needs,
    async make() {
      const folder = volumeDirectory(podDir, plugin, name);
      if (!(await isMountPoint(tools.mount, folder))) await mountAnew(volume, folder, tools.mount);
      return { path: folder, isReadOnly, needsSelinuxLabel: false, measuredBy: 'file-system' };
    },
  };
}

async function mountAnew(volume: NetworkVolume, folder: string, mount: MountCommands): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
  try {
    await volume.mount(folder);
  } catch (error) {
    // What cannot be undone now is undone when the pod is removed; the mount's own error says what went wrong.
    const ignore = (): void => {};
    if (await isMountPoint(mount, folder)) await mount.unmount(folder).catch(ignore);
    await rmdir(folder).catch(ignore);
    throw error;
  }
}
