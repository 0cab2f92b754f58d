import type { Stats } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Header, type Pack, pack } from 'tar-stream';
import { asBytes } from './bytes.ts';

const readBytes = 64 * 1024;
/** Largest numbers of the library's headers: of owners, which pax records can exceed, and of seconds since 1970. */
const maxHeaderId = 0o777777;
const maxHeaderSeconds = 2 ** 31 - 1;

/**
 * A tape archive of a local file or folder, part by part; `name` is what it is called in there. Sockets, pipes and devices
 * are left out.
 *
 * @throws Error when something cannot be read, or gets shorter meanwhile
 */
export async function* packFiles(path: string, name: string): AsyncGenerator<Buffer> {
  const archive = pack();
  addPath(archive, path, name).then(
    () => archive.finalize(),
    (error: Error) => archive.destroy(error),
  );
  for await (const part of archive) yield asBytes(part);
}

async function addPath(archive: Pack, path: string, name: string): Promise<void> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) {
    addHeader(archive, stats, { name, type: 'symlink', linkname: await readlink(path) });
  } else if (stats.isDirectory()) {
    const children = await readdir(path);
    // A folder that holds something comes with that.
    if (children.length === 0) addHeader(archive, stats, { name: `${name}/`, type: 'directory' });
    for (const child of children.sort()) await addPath(archive, join(path, child), `${name}/${child}`);
  } else if (stats.isFile()) {
    const entry = addHeader(archive, stats, { name, type: 'file', size: stats.size });
    await pipeline(readExactly(path, stats.size), entry);
  }
}

function addHeader(
  archive: Pack,
  { mode, uid, gid, mtimeMs }: Stats,
  more: Pick<Header, 'name' | 'type'> & Partial<Header>,
) {
  const seconds = Math.min(Math.max(0, Math.floor(mtimeMs / 1000)), maxHeaderSeconds);
  const large = Object.entries({ uid, gid }).filter(([, id]) => id > maxHeaderId);
  return archive.entry({
    mode, // with the type, which is not written: a mode of 0 would be taken for none
    uid,
    gid,
    mtime: new Date(seconds * 1000),
    ...(large.length > 0 && { pax: Object.fromEntries(large.map(([key, id]) => [key, `${id}`])) }),
    ...more,
  });
}

/** What is appended meanwhile is left out. */
async function* readExactly(path: string, sizeBytes: number): AsyncGenerator<Buffer> {
  await using file = await open(path, 'r');
  for (let at = 0; at < sizeBytes; ) {
    const part = Buffer.allocUnsafe(Math.min(readBytes, sizeBytes - at));
    const { bytesRead } = await file.read(part, 0, part.length, at);
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was copied`);
    at += bytesRead;
    yield part.subarray(0, bytesRead);
  }
}
