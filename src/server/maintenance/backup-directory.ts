import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const namePattern = /^\.backup-(\d+)-[A-Za-z0-9]{6}$/;

/** A folder for one backup that is being made. */
export interface BackupDirectory extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes a folder below `parent` that only this process' user can read, and removes it when disposed. Folders that
 * processes left behind when they were killed are removed first. One at a time for each process.
 */
export async function makeBackupDirectory(parent: string): Promise<BackupDirectory> {
  await removeLeftovers(parent);
  const path = await mkdtemp(join(parent, `.backup-${process.pid}-`));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(namePattern.exec(name)?.[1] ?? 0);
    if (pid > 0 && (pid === process.pid || !isAlive(pid))) {
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
