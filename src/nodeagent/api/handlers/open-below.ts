import { constants, type Stats } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Opens a name without reading what is behind it, so that no pipe or device can hold it up (open(2), Linux). */
const pathOnly = 0o10000000 | constants.O_RDONLY;

/** An open file or folder; its number stands for it whatever happens to its name. */
export interface OpenedPath extends AsyncDisposable {
  readonly stats: Stats;
  /** Leads to it within this process. */
  readonly link: string;
}

/**
 * Opens what a path below a folder leads to. Links are followed, and judged by where they led: undefined when that is
 * not below the folder, or is not there. Pods write into log folders, and must not be able to show files of the node.
 */
export async function openBelow(folder: string, path: string): Promise<OpenedPath | undefined> {
  const handle = await open(join(folder, path), pathOnly).catch(() => undefined); // missing, or not ours to see
  if (handle === undefined) return undefined;
  const link = `/proc/self/fd/${handle.fd}`;
  try {
    // Of what is open, not of the name, which may lead elsewhere by now.
    const [place, root] = await Promise.all([readlink(link), realpath(folder)]);
    if (place === root || place.startsWith(root === '/' ? root : `${root}/`)) {
      return { stats: await handle.stat(), link, [Symbol.asyncDispose]: () => handle.close() };
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}
