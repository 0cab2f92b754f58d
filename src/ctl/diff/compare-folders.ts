import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ctl } from '../ctl.ts';
import { readVariable } from '../external/environment.ts';
import { runProgram } from '../external/run-program.ts';
import { makeTemporaryFolder, removeTemporary } from '../external/temporary-files.ts';
import type { Target } from '../resource/target.ts';

/** One file of both folders; undefined where there is none. */
export interface FilePair {
  readonly name: string;
  readonly live: string | undefined;
  readonly merged: string | undefined;
}

/** Longest name of a file, in bytes, that any file system takes. */
const maxNameBytes = 255;

/** `apps.v1.Deployment.default.web`: the name of an object's file. */
export function objectFileName({ resource, namespace, name }: Target): string {
  const { group, version, kind } = resource;
  const parts = [...(group === '' ? [] : [group]), version, kind, namespace, name ?? ''];
  // A name is what a manifest says: it must not lead out of the folder.
  const text = parts.join('.').replace(/[/\\\0]/g, '_');
  if (Buffer.byteLength(text) <= maxNameBytes) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text.slice(0, maxNameBytes / 5)}.${digest}`; // a UTF-16 unit takes up to three bytes
}

/**
 * Writes the files below two temporary folders, compares these with the user's program (`diff -u -N` by default) and
 * removes them. Returns the program's exit code: 0 same, 1 different, more when it failed. @throws CtlError
 */
export async function compareFolders(
  ctl: Ctl,
  pairs: readonly FilePair[],
  prefixes: readonly [string, string] = ['LIVE-', 'MERGED-'],
): Promise<number> {
  const folders: string[] = [];
  try {
    for (const prefix of prefixes) folders.push(makeTemporaryFolder(ctl.io, prefix));
    const [live = '', merged = ''] = folders;
    for (const pair of pairs) {
      writeText(join(live, pair.name), pair.live);
      writeText(join(merged, pair.name), pair.merged);
    }
    return await runProgram(ctl.io, { ...findDiffProgram(ctl, [live, merged]), isInteractive: false });
  } finally {
    for (const folder of folders) removeTemporary(folder);
  }
}

function writeText(path: string, text: string | undefined): void {
  if (text !== undefined) writeFileSync(path, text, { mode: 0o600 });
}

/** Words of the variable that are no plain flags are left out, as the client of release 1.20 does. */
function findDiffProgram(
  ctl: Ctl,
  folders: readonly string[],
): { readonly command: string; readonly args: readonly string[] } {
  const line = readVariable(ctl, 'CTL_EXTERNAL_DIFF');
  const [command, ...flags] = (line ?? '').split(' ').filter((word) => word !== '');
  if (command === undefined) return { command: 'diff', args: ['-u', '-N', ...folders] };
  return { command, args: [...folders, ...flags.filter((flag) => /^[a-zA-Z0-9=-]+$/.test(flag))] };
}
