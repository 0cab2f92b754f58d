import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode, errorText } from '../../../base/index.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';

/** Opens a container's log. @throws Error in the words of release 1.20, by which clients tell it from a log */
export async function openLog(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    const what =
      errorCode(cause) === 'ENOENT'
        ? `failed to try resolving symlinks in path ${quoteGo(path)}: lstat ${await missingPart(path)}: no such file or directory`
        : `failed to open log file ${quoteGo(path)}: ${errorText(cause)}`;
    throw new Error(what, { cause });
  }
}

/** The part of a path from which on nothing is there; of a link that leads to nothing, the part of where it leads. */
async function missingPart(path: string): Promise<string> {
  const parts = path.split('/');
  for (let count = 2; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/');
    if ((await lstat(part).catch(() => undefined)) === undefined) return part;
  }
  const target = await readlink(path).catch(() => undefined);
  return target === undefined ? path : missingPart(resolve(dirname(path), target));
}
