import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { pathOnly } from '../../base/index.ts';
import { isMissing } from './describe-error.ts';

const openFlags = pathOnly | constants.O_NOFOLLOW;

/** An open file or folder; its descriptor refers to the same one even when its name is exchanged. */
export interface SafePath extends AsyncDisposable {
  readonly stats: Stats;
  /** Path through the descriptor (`/proc/PID/fd/N`), valid for system calls of this process and its children. */
  readonly link: string;
}

/**
 * Opens a path below a folder; missing folders are created with the mode of the folder itself. Links are resolved once,
 * and only within the folder. When names are exchanged meanwhile, the call fails; it never opens a file elsewhere.
 *
 * @throws Error when the path leads out of the folder, or changes
 */
export async function openSafePath(folder: string, subPath: string): Promise<SafePath> {
  const base = await realpath(folder);
  const target = await resolveExisting(posix.join(base, subPath), base);
  const names = target.slice(base.length).split('/').filter(Boolean);
  let handle = await open(base, openFlags);
  try {
    const { mode } = await handle.stat();
    for (const name of names) {
      const next = await openOrMake(handle, name, mode);
      await handle.close();
      handle = next;
    }
    const stats = await handle.stat();
    const opened = handle;
    return {
      stats,
      link: `/proc/${process.pid}/fd/${opened.fd}`,
      [Symbol.asyncDispose]: () => opened.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The path with links resolved in the part that exists, followed by the part that does not. */
async function resolveExisting(path: string, base: string): Promise<string> {
  const missing: string[] = [];
  let existing = path;
  for (;;) {
    try {
      const real = await realpath(existing);
      if (real !== base && !real.startsWith(base === '/' ? base : `${base}/`)) {
        throw new Error(`${path} leads out of ${base}`);
      }
      return posix.join(real, ...missing);
    } catch (error) {
      if (!isMissing(error) || existing === base) throw error;
      missing.unshift(posix.basename(existing));
      existing = posix.dirname(existing);
    }
  }
}

async function openOrMake(parent: FileHandle, name: string, mode: number): Promise<FileHandle> {
  const path = `/proc/self/fd/${parent.fd}/${name}`;
  try {
    return await openOne(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await mkdir(path, { mode: 0o700 });
  const made = await openOne(path);
  try {
    // By the descriptor: the name may refer to another file by now.
    await setMode(made, mode);
    return made;
  } catch (error) {
    await made.close();
    throw error;
  }
}

async function openOne(path: string): Promise<FileHandle> {
  const handle = await open(path, openFlags);
  const stats = await handle.stat();
  if (!stats.isSymbolicLink()) return handle;
  await handle.close();
  throw new Error(`${path} has become a link`);
}

/** fchmod(2) refuses a descriptor opened with `O_PATH`; a second one is opened for reading. */
async function setMode(handle: FileHandle, mode: number): Promise<void> {
  const readable = await open(`/proc/self/fd/${handle.fd}`, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await readable.chmod(mode & 0o7777);
  } finally {
    await readable.close();
  }
}
