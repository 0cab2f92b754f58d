import { lstat, readdir, rm } from 'node:fs/promises';
import { podDirectory, podsDirectory } from '../container-config/index.ts';
import { isMissing } from './describe-error.ts';
import { endMounts } from './end-mounts.ts';
import type { MountCommands } from './mount-commands.ts';

/**
 * Ends all mounts below a pod's folder, and removes it. Nothing is removed while a mount is left: it may lead to files
 * of the node or of a persistent volume.
 *
 * @throws Error
 */
export async function removePod(rootDirectory: string, podUid: string, mount: MountCommands): Promise<void> {
  const folder = podDirectory(rootDirectory, podUid);
  if (!(await isFolder(folder))) return;
  await endMounts(folder, mount);
  await rm(folder, { recursive: true, force: true });
}

/** Names of the folders of pods. */
export async function listPods(rootDirectory: string): Promise<string[]> {
  try {
    const entries = await readdir(podsDirectory(rootDirectory), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
