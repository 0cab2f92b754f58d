import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, reasonText } from './error-text.ts';

/**
 * Makes a directory with missing parents, for its owner only unless another mode is said, unless it is there.
 *
 * @throws Error that names the directory that cannot be made, and says why
 */
export async function makeDirectory(directory: string, mode = 0o700): Promise<void> {
  const isThere = await isDirectory(directory);
  if (isThere) return;
  // One by one: a recursive mkdir of the runtime never comes back from file systems that refuse new entries as missing.
  if (dirname(directory) !== directory) await makeDirectory(dirname(directory), mode);
  try {
    await mkdir(directory, { mode });
  } catch (error) {
    if (await isDirectory(directory)) return; // somebody else was faster
    const reason = errorCode(error) === 'EEXIST' ? 'not a directory' : reasonText(error);
    throw new Error(`make directory ${directory}: ${reason}`, { cause: error });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // missing, or out of reach: mkdir will say which
  }
}

/** Flag `O_PATH` (open(2), Linux): opens a name without opening the file, so that a pipe or device cannot block. */
export const pathOnly = 0o10000000;
