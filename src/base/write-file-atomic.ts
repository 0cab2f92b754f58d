import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, reasonText } from './error-text.ts';

export interface WriteFileAtomicOptions {
  /** Permissions of the file, less the process's mask. Default: its owner only (0600). */
  readonly mode?: number | undefined;
  /** Whether content and name are on disk when the promise resolves, so that a loss of power takes neither. Default: no. */
  readonly isDurable?: boolean | undefined;
}

/**
 * Makes a file, or replaces one, as a whole: whoever reads it finds the former content or this one. The content is first
 * in a new file of the same folder, whose name begins with a dot and cannot be guessed. That file is gone when this has
 * ended, unless the process was killed. A symbolic link at `path` is replaced, not followed.
 *
 * @throws Error with the system's code, naming `path`; the file is as it was then
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, isDurable = false }: WriteFileAtomicOptions = {},
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomName()}.tmp`);
  try {
    {
      // `wx`: a file or a link that somebody else put there is not written to.
      await using file = await open(temporary, 'wx', mode);
      await file.writeFile(content);
    }
    await (isDurable ? renameDurably(temporary, path) : rename(temporary, path));
  } catch (error) {
    // The first error says more than one of the removal would.
    await rm(temporary, { force: true }).catch(() => {});
    throw Object.assign(new Error(`write ${path}: ${reasonText(error)}`, { cause: error }), {
      code: errorCode(error),
    });
  }
}

/** Gives a finished file or folder its name, so that a loss of power leaves it whole, or what was there before. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await syncPath(from);
  await rename(from, to);
  await syncPath(dirname(to));
}

/** Resolves when a file's content, or the names that a folder has, are on disk. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Loaded late, because a client that writes no file must not wait for a library of ciphers. */
function randomName(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
}
