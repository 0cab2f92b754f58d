import type { BigIntStats, Stats } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { blockBytes, encodeHeader, entryTypes, padding, type TarHeader } from './header.ts';

const readBytes = 64 * 1024;

/**
 * Yields an archive of a local file or folder; `name` is what it is called in there. Sockets, pipes and devices are left
 * out.
 *
 * @throws Error when something cannot be read, or gets shorter meanwhile.
 */
export async function* writeTar(path: string, name: string): AsyncGenerator<Buffer> {
  yield* writeEntry(path, name);
  yield Buffer.alloc(2 * blockBytes);
}

async function* writeEntry(path: string, name: string): AsyncGenerator<Buffer> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) {
    const linkName = await readlink(path);
    yield encodeHeader(headerOf(stats, { name, type: entryTypes.symbolicLink, linkName }));
  } else if (stats.isDirectory()) {
    const children = await readdir(path);
    // A folder that holds something comes with that.
    if (children.length === 0) {
      yield encodeHeader(headerOf(stats, { name: `${name}/`, type: entryTypes.directory }));
    }
    for (const child of children.sort()) yield* writeEntry(join(path, child), `${name}/${child}`);
  } else if (stats.isFile()) {
    yield* writeFile(path, headerOf(stats, { name, type: entryTypes.file, sizeBytes: stats.size }));
  }
}

async function* writeFile(path: string, header: TarHeader): AsyncGenerator<Buffer> {
  await using file = await open(path, 'r');
  yield encodeHeader(header);
  for (let at = 0; at < header.sizeBytes; ) {
    const part = Buffer.allocUnsafe(Math.min(readBytes, header.sizeBytes - at));
    const { bytesRead } = await file.read(part, 0, part.length, at);
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was copied`);
    at += bytesRead;
    yield part.subarray(0, bytesRead);
  }
  yield padding(header.sizeBytes);
}

function headerOf(
  stats: Exclude<Stats, BigIntStats>,
  more: Pick<TarHeader, 'name' | 'type'> & Partial<TarHeader>,
): TarHeader {
  return {
    mode: stats.mode & 0o7777,
    uid: stats.uid,
    gid: stats.gid,
    sizeBytes: 0,
    modifiedAtSeconds: Math.floor(stats.mtimeMs / 1000),
    linkName: '',
    ...more,
  };
}
