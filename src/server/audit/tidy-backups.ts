import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../../base/index.ts';

/** Which files of a log that were put aside are kept, and how. */
export interface BackupLimits {
  /** The file that is written. */
  readonly path: string;
  /** Files that are kept; 0: all. */
  readonly maxBackups: number;
  /** How long they are kept; 0: for ever. */
  readonly maxAgeMs: number;
  /** Whether they are packed (gzip). */
  readonly compresses: boolean;
  readonly clock: Clock;
}

interface Backup {
  readonly name: string;
  readonly atMs: number;
}

/** Removes the files of a log that were put aside and are too many or too old, and packs the others. */
export async function tidyBackups(options: BackupLimits): Promise<void> {
  const { path, maxBackups, maxAgeMs, compresses, clock } = options;
  if (maxBackups === 0 && maxAgeMs === 0 && !compresses) return;
  const folder = dirname(path);
  const backups = (await readdir(folder))
    .flatMap((name) => asBackup(name, path))
    .sort((first, second) => second.atMs - first.atMs);
  const kept = new Set<string>();
  for (const { name, atMs } of backups) {
    const plain = name.replace(/\.gz$/, '');
    const isExtra = maxBackups > 0 && !kept.has(plain) && kept.size >= maxBackups;
    const isOld = maxAgeMs > 0 && clock.nowMs() - atMs > maxAgeMs;
    if (isExtra || isOld) await rm(join(folder, name), { force: true });
    else {
      kept.add(plain);
      if (compresses && name === plain) await pack(join(folder, name));
    }
  }
}

function asBackup(name: string, path: string): Backup[] {
  const extension = extname(path);
  const prefix = `${basename(path, extension)}-`;
  const plain = name.replace(/\.gz$/, '');
  if (!plain.startsWith(prefix) || !plain.endsWith(extension)) return [];
  const time = plain.slice(prefix.length, plain.length - extension.length);
  const [, day = '', hour = '', rest = ''] = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d-\d\d\.\d{3})$/.exec(time) ?? [];
  const atMs = Date.parse(`${day}${hour}:${rest.replace('-', ':')}Z`);
  return Number.isNaN(atMs) ? [] : [{ name, atMs }];
}

/** The packed file appears whole. */
async function pack(path: string): Promise<void> {
  const packed = `${path}.gz`;
  const unfinished = `${packed}.part`;
  try {
    await pipeline(createReadStream(path), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, packed);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await rm(path);
}
