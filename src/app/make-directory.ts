import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorText } from '../base/index.ts';

/**
 * Makes a directory for its owner only, with missing parents, unless it is there.
 * @throws Error that names the directory, when one cannot be made
 */
export async function makeDirectory(directory: string): Promise<void> {
  const isThere = await isDirectory(directory);
  if (isThere) return;
  // One by one: a recursive mkdir of the runtime never comes back from file systems that refuse new entries as missing.
  if (dirname(directory) !== directory) await makeDirectory(dirname(directory));
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (await isDirectory(directory)) return; // somebody else was faster
    throw new Error(`make directory ${directory}: ${errorText(error)}`, { cause: error });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // missing, or out of reach: mkdir will say which
  }
}
