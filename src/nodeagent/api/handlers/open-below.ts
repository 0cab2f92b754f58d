import type { Stats } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pathOnly } from '../../../base/index.ts';

/** An open file or folder; its descriptor refers to the same one even when its name is exchanged. */
export interface OpenedPath extends AsyncDisposable {
  readonly stats: Stats;
  /** Leads to it within this process. */
  readonly link: string;
}

/**
 * Opens the file that a path below a folder leads to. Links are followed, and the file that was opened is checked:
 * undefined when it is not below the folder, or missing. Pods write into log folders, and must not be able to expose
 * files of the node.
 */
export async function openBelow(folder: string, path: string): Promise<OpenedPath | undefined> {
  const handle = await open(join(folder, path), pathOnly).catch(() => undefined); // missing, or no permission
  if (handle === undefined) return undefined;
  const link = `/proc/self/fd/${handle.fd}`;
  try {
    // The path of the open file, not that of the name, which may lead elsewhere by now.
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
