import { lstat, readdir, readlink, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Logger } from '../../base/index.ts';

/** How long a folder has to have been quiet: another agent of this machine may keep pods that this one does not know. */
const quietFolderMs = 5 * 60_000;
/** How old a link has to be: it is made before the runtime begins the log that it leads to. */
const minLinkAgeMs = 60_000;
/** A namespace, a name and a uid; neither of the first two has an underscore in it. */
const podFolder = /^[^_]+_[^_]+_(?<uid>.+)$/;

/** Folders of logs, and which pods still need theirs. */
export interface StaleLogsOptions {
  /** Folder of the logs of pods, and the one of links to them. */
  readonly roots: { readonly pods: string; readonly containers: string };
  /** Whether a pod is desired, terminating, or still known to the runtime. */
  readonly isKnown: (podUid: string) => boolean;
  /** By the clock that times of files are from. */
  readonly nowMs: number;
  readonly logger: Logger;
}

/**
 * Removes log folders of pods that are not known, once they have been quiet for five minutes, and links to logs that
 * are gone. What is not an agent's stays. What cannot be removed is logged. Never rejects.
 */
export async function removeStaleLogs(options: StaleLogsOptions): Promise<void> {
  const { pods, containers } = options.roots;
  await eachIn(pods, options, removeFolder);
  await eachIn(containers, options, removeLink);
}

async function eachIn(
  folder: string,
  options: StaleLogsOptions,
  clear: (path: string, options: StaleLogsOptions) => Promise<void>,
): Promise<void> {
  const names = await readdir(folder).catch(() => []); // no folder, no logs
  for (const name of names) {
    const path = join(folder, name);
    try {
      await clear(path, options);
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isGone) options.logger.error('stale log removal failed', { path, error });
    }
  }
}

async function removeFolder(path: string, { isKnown, nowMs }: StaleLogsOptions): Promise<void> {
  const uid = podFolder.exec(basename(path))?.groups?.uid;
  if (uid === undefined || isKnown(uid)) return;
  if (!(await lstat(path)).isDirectory()) return;
  if (nowMs - (await lastChangeMs(path)) < quietFolderMs) return;
  if (!isKnown(uid)) await rm(path, { recursive: true, force: true }); // it may have come back meanwhile
}

/** When something was last written to a folder of a pod, its containers' folders or their files. */
async function lastChangeMs(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }); // with types links are not followed
  const paths = [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  const times = await Promise.all(paths.map(async (path) => (await lstat(path)).mtimeMs));
  return Math.max(...times);
}

async function removeLink(path: string, { roots, nowMs }: StaleLogsOptions): Promise<void> {
  if (!path.endsWith('.log')) return;
  const link = await lstat(path);
  if (!link.isSymbolicLink() || nowMs - link.mtimeMs < minLinkAgeMs) return;
  const target = join(await readlink(path));
  if (!target.startsWith(`${roots.pods}/`) || (await exists(target))) return;
  if (!(await isBeingRotated(target))) await unlink(path);
}

/** Between two logs of a container there is none, but the one before was put aside under its name and the time. */
async function isBeingRotated(logPath: string): Promise<boolean> {
  const names = await readdir(dirname(logPath)).catch(() => []);
  return names.some((name) => name.startsWith(`${basename(logPath)}.`));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  );
}
