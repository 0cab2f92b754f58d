import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A folder of its own below the system's temporary one. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
  /** Removes the folder with all that is in it; mounts that agents have left when they were killed are ended first. */
  remove(): Promise<void>;
}

/** Makes an empty folder, readable by its owner only. */
export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'orch-test-'));
  const remove = async (): Promise<void> => {
    await unmountBelow(path);
    await rm(path, { recursive: true, force: true });
  };
  return { path, remove, [Symbol.asyncDispose]: remove };
}

/** Ends all mounts below a folder, the newest first. */
async function unmountBelow(folder: string): Promise<void> {
  // Machines without this file have no agents either.
  const table = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  const mounts = table
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`));
  for (const path of mounts.reverse()) {
    await promisify(execFile)('umount', ['-l', path]).catch(() => undefined); // Gone with its parent.
  }
}
