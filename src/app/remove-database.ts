import { rm } from 'node:fs/promises';

/** Removes what is left of a database file under its temporary name. */
export async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true });
}
