import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CtlIo } from '../io.ts';

/** Writes a new file that only its owner may read, and returns its path: `/tmp/ctl-edit-1f2e3d4c5b6a.yaml`. */
export function writeTemporaryFile(
  io: CtlIo,
  { prefix, suffix, text }: { readonly prefix: string; readonly suffix: string; readonly text: string },
): string {
  const path = join(temporaryFolder(io), `${prefix}${randomBytes(6).toString('hex')}${suffix}`);
  // `wx`: a file or link that somebody else put there is not written to.
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}

/** Makes a new folder that only its owner may enter. */
export function makeTemporaryFolder(io: CtlIo, prefix: string): string {
  return mkdtempSync(join(temporaryFolder(io), prefix));
}

/** Removes a file or a folder with all that is in it, if it is there. */
export function removeTemporary(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

function temporaryFolder(io: CtlIo): string {
  return io.env.TMPDIR || tmpdir();
}
