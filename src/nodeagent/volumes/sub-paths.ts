import { lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Logger, namesIn } from '../../base/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { ContainerConfigError, type SubPath, subPathDirectory } from '../container-config/index.ts';
import { describeError } from './describe-error.ts';
import { endMounts } from './end-mounts.ts';
import type { MountCommands } from './mount-commands.ts';
import { mountsBelow } from './mount-table.ts';
import { openSafePath, type SafePath } from './safe-path.ts';

/** Below the folder of a pod, as `subPathDirectory` has it. */
const subPathsFolder = 'volume-subpaths';

/** How sub-paths are mounted, and where details of failures are logged. */
export interface SubPathTools {
  readonly mount: MountCommands;
  readonly logger: Logger;
}

/**
 * Creates a sub-path in a volume, and mounts it at the path that the container's configuration names.
 *
 * @throws ContainerConfigError whose message reveals nothing of the node; details are logged
 */
export async function prepareSubPath(
  containerName: string,
  subPath: SubPath,
  { mount, logger }: SubPathTools,
): Promise<void> {
  const which = `for volumeMount ${quoteGo(subPath.volumeName)} of container ${quoteGo(containerName)}`;
  const refuse = (what: string, cause: unknown): ContainerConfigError => {
    logger.error('subpath preparation failed', { ...subPath, containerName, error: describeError(cause) });
    return new ContainerConfigError(`${what} ${which}`, { cause });
  };
  let opened: SafePath;
  try {
    opened = await openSafePath(subPath.volumePath, subPath.subPath);
  } catch (error) {
    throw refuse('failed to create subPath directory', error);
  }
  try {
    await bind(opened, subPath.bindPath, mount);
  } catch (error) {
    throw refuse('failed to prepare subPath', error);
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

/** Ends the mounts of a container's sub-paths, and removes what they were mounted on. @throws Error */
export async function cleanSubPaths(
  podDir: string,
  containerName: string,
  mount: MountCommands,
): Promise<void> {
  for (const volume of await namesIn(posix.join(podDir, subPathsFolder))) {
    const folder = posix.dirname(subPathDirectory(podDir, volume, containerName, 0));
    await endMounts(folder, mount);
    await rm(folder, { recursive: true, force: true });
  }
}

async function bind(source: SafePath, target: string, mount: MountCommands): Promise<void> {
  for (const { path } of mountsBelow(await mount.list(), target)) {
    // An earlier instance of the container had the same path.
    if (path === target && (await isSame(source, target))) return;
    await mount.unmount(path);
  }
  await makeTarget(source, target);
  await mount.mount({ source: source.link, target, options: ['bind'], isExact: true });
}

async function isSame({ stats }: SafePath, target: string): Promise<boolean> {
  const found = await stat(target);
  return found.dev === stats.dev && found.ino === stats.ino;
}

/** Creates the mount point: a folder for a folder, an empty file for anything else. */
async function makeTarget({ stats }: SafePath, target: string): Promise<void> {
  await mkdir(posix.dirname(target), { recursive: true, mode: 0o750 });
  const found = await lstat(target).catch(() => undefined); // other failures show when the path is created
  if (found !== undefined && found.isDirectory() !== stats.isDirectory()) {
    await rm(target, { recursive: true });
  }
  if (stats.isDirectory()) await mkdir(target, { recursive: true, mode: 0o750 });
  else await writeFile(target, '', { flag: 'a', mode: 0o640 });
}
