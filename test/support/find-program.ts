import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where administrators' programs lie; not every user's PATH names these. */
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Path of an installed program; undefined when there is none. An absolute path stands for itself. */
export function findProgram(name: string): string | undefined {
  if (name.startsWith('/')) return existsSync(name) ? name : undefined;
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
