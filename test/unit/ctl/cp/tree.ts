import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A name that no header of an archive has room for. */
export const longName = 'long-'.repeat(30);

/** Makes a folder that holds something of everything that is copied; `deep` is the name of folders in it. */
export async function makeTree(path: string, deep = longName): Promise<void> {
  await mkdir(join(path, 'empty'), { recursive: true });
  await mkdir(join(path, deep, deep), { recursive: true });
  await writeFile(join(path, 'plain.txt'), 'plain', { mode: 0o640 });
  await utimes(join(path, 'plain.txt'), 1_000_000, 1_000_000);
  await writeFile(join(path, 'none'), '');
  await writeFile(join(path, deep, deep, 'deep'), 'x'.repeat(100_000));
  await symlink(`../${deep}`, join(path, 'link'));
}
