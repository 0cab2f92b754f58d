import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own below the system's temporary one. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
  /** Removes the folder with all that is in it. */
  remove(): Promise<void>;
}

/** Makes an empty folder, readable by its owner only. */
export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'orch-test-'));
  const remove = () => rm(path, { recursive: true, force: true });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
