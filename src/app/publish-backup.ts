import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Removes what is left of a database file under its temporary name. */
export async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true });
}

/** Gives a finished file its name, so that it is there after a power failure too. A file of that name is replaced. */
export async function publishFile(from: string, to: string): Promise<void> {
  await syncPath(from);
  await rename(from, to);
  await syncPath(dirname(to));
}

async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}
