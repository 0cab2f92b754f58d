import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { posix } from 'node:path';
import { isMissing } from './describe-error.ts';
import { checkPayload, type Payload } from './payload.ts';

/** Link to the folder with the files as they are now. */
const dataLink = '..data';

/** How the folder of a new version of a payload is named, and prepared before it is switched to. */
export interface WritePayloadOptions {
  /** Names new folders. */
  readonly nowMs: number;
  /** Called with the new folder when it is complete, before the link is switched to it. */
  readonly prepare?: ((folder: string) => Promise<void>) | undefined;
}

/**
 * Replaces the files of a volume by those of a payload, atomically for readers: the files are written to a new folder,
 * the link `..data` is switched to it, and the names in the volume are links through `..data`. Other files in the
 * volume stay. Resolves with whether contents have changed; modes alone do not count.
 *
 * @throws Error for paths that lead out of the folder, and failures of the file system
 */
export async function writePayload(
  folder: string,
  given: Payload,
  { nowMs, prepare }: WritePayloadOptions,
): Promise<boolean> {
  const payload = checkPayload(given);
  const current = await readLinkOf(posix.join(folder, dataLink));
  const isSame = current !== undefined && (await hasPayload(posix.join(folder, current), payload));
  const name = isSame ? current : await writeFolder(folder, payload, nowMs);
  if (!isSame) {
    await prepare?.(posix.join(folder, name));
    await replaceLink(folder, name);
  }
  await linkNames(folder, payload);
  await removeOthers(folder, name);
  return !isSame;
}

async function readLinkOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether the folder has these files and no others. */
async function hasPayload(folder: string, payload: Payload): Promise<boolean> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    if (entries.filter((entry) => !entry.isDirectory()).length !== payload.size) return false;
    for (const [path, { content }] of payload) {
      const found = posix.join(folder, path);
      // A different size saves the reading; what is not a plain file was not written by the agent.
      const stats = await lstat(found);
      if (!stats.isFile() || stats.size !== content.length) return false;
      if (!content.equals(await readFile(found))) return false;
    }
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Writes the files into a new folder. Resolves with its name. */
async function writeFolder(folder: string, payload: Payload, nowMs: number): Promise<string> {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replace(/[-:T]/g, '_');
  const made = await mkdtemp(posix.join(folder, `..${stamp}.`));
  await chmod(made, 0o755);
  for (const [path, { content, mode, userId }] of payload) {
    const file = posix.join(made, path);
    await mkdir(posix.dirname(file), { recursive: true, mode: 0o755 });
    await writeFile(file, content, { mode: 0o600, flag: 'wx' });
    await chmod(file, mode);
    if (userId !== undefined) await chown(file, userId, -1);
  }
  return posix.basename(made);
}

async function replaceLink(folder: string, name: string): Promise<void> {
  const temporary = posix.join(folder, `${dataLink}_tmp`);
  await rm(temporary, { force: true });
  await symlink(name, temporary);
  await rename(temporary, posix.join(folder, dataLink));
}

/** Links the first part of each path, and drops links whose files are gone. */
async function linkNames(folder: string, payload: Payload): Promise<void> {
  const desired = new Set(Array.from(payload.keys(), (path) => path.split('/', 1)[0] ?? ''));
  const missing = new Set(desired);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isSymbolicLink() || entry.name.startsWith('..')) continue;
    if (missing.delete(entry.name)) continue;
    const path = posix.join(folder, entry.name);
    if ((await readLinkOf(path))?.startsWith(`${dataLink}/`)) await rm(path, { force: true });
  }
  for (const name of missing) await symlink(posix.join(dataLink, name), posix.join(folder, name));
}

/** Removes folders of earlier versions, and those of attempts that were interrupted. */
async function removeOthers(folder: string, current: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith('..') || entry.name === current) continue;
    await rm(posix.join(folder, entry.name), { recursive: true, force: true });
  }
}
