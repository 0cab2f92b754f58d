import { lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Payload, PayloadFile } from '../../../../src/nodeagent/volumes/payload.ts';
import { writePayload } from '../../../../src/nodeagent/volumes/write-payload.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);

const payloadOf = (files: Record<string, string>, mode = 0o644): Payload =>
  new Map(
    Object.entries(files).map(([path, text]): [string, PayloadFile] => [
      path,
      { content: Buffer.from(text), mode },
    ]),
  );

/** What a reader of the volume sees: contents by path, through all links. */
async function read(folder: string, below = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(join(folder, below))) {
    if (name.startsWith('..')) continue;
    const path = join(below, name);
    const isFolder = (await stat(join(folder, path))).isDirectory();
    if (isFolder) Object.assign(found, await read(folder, path));
    else found[path] = await readFile(join(folder, path), 'utf8');
  }
  return found;
}

describe('writePayload', () => {
  let directory: TemporaryDirectory;
  let folder: string;
  const write = (files: Record<string, string>, mode?: number) =>
    writePayload(folder, payloadOf(files, mode), { nowMs });
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    folder = directory.path;
  });
  afterEach(() => directory.remove());

  it('writes files behind one link, with their modes', async () => {
    expect(await write({ a: 'A', 'sub/b': 'B' }, 0o440)).to.equal(true);
    expect(await read(folder)).to.deep.equal({ a: 'A', 'sub/b': 'B' });
    expect(await readlink(join(folder, 'sub'))).to.equal('..data/sub');
    expect(await readlink(join(folder, '..data'))).to.match(/^\.\.2026_01_02_03_04_05\.\w+$/);
    expect((await stat(join(folder, 'sub/b'))).mode & 0o7777).to.equal(0o440);
    expect((await stat(join(folder, '..data/'))).mode & 0o7777).to.equal(0o755);
  });

  it('leaves files alone that are as they should be', async () => {
    await write({ a: 'A' });
    const link = await readlink(join(folder, '..data'));
    expect(await write({ a: 'A' })).to.equal(false);
    expect(await readlink(join(folder, '..data'))).to.equal(link);
  });

  it('exchanges all files at once, so that who has opened the old ones still reads them', async () => {
    await write({ a: '1', b: '1' });
    const old = join(folder, await readlink(join(folder, '..data')));
    let seen: Record<string, string> = {};
    await writePayload(folder, payloadOf({ a: '2', b: '2', c: '2' }), {
      nowMs,
      async prepare(fresh) {
        seen = { ...(await read(folder)), fresh: (await readdir(fresh)).join() };
      },
    });
    expect(seen).to.deep.equal({ a: '1', b: '1', fresh: 'a,b,c' });
    expect(await read(folder)).to.deep.equal({ a: '2', b: '2', c: '2' });
    expect(await lstat(old).catch((error) => error.code)).to.equal('ENOENT');
  });

  it('drops links of files that are gone, and nothing else', async () => {
    await write({ a: 'A', 'gone/x': 'X' });
    await mkdir(join(folder, 'nested'));
    await symlink('/elsewhere', join(folder, 'foreign'));
    await write({ a: 'A' });
    expect((await readdir(folder)).filter((name) => !name.startsWith('..')).sort()).to.deep.equal([
      'a',
      'foreign',
      'nested',
    ]);
  });

  it('cleans up after an attempt that was broken off at any point', async () => {
    await write({ a: 'A' });
    await mkdir(join(folder, '..2020_01_01_00_00_00.abc'));
    await symlink('..2020_01_01_00_00_00.abc', join(folder, '..data_tmp'));
    expect(await write({ a: 'B' })).to.equal(true);
    expect(await read(folder)).to.deep.equal({ a: 'B' });
    expect((await readdir(folder)).filter((name) => name.startsWith('..')).length).to.equal(2);
  });

  it('restores a link that somebody has removed', async () => {
    await write({});
    expect(await write({ a: 'A' })).to.equal(true);
    await rm(join(folder, 'a'));
    expect(await write({ a: 'A' })).to.equal(false);
    expect(await read(folder)).to.deep.equal({ a: 'A' });
  });

  it('writes nothing for paths that lead elsewhere', async () => {
    const error = await write({ a: 'A', '../b': 'B' }).catch((reason) => reason);
    expect(error.message).to.equal("invalid path: must not contain '..': ../b");
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('shows the last of any series of payloads', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const path = fc.oneof(
      name,
      fc.tuple(fc.constantFrom('d', 'e'), name).map((parts) => parts.join('/')),
    );
    const files = fc.dictionary(path, fc.string({ maxLength: 3 }), { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(files, { minLength: 1, maxLength: 4 }), async (series) => {
        for (const one of series) await write(one);
        const last = series.at(-1) ?? {};
        expect(await read(folder)).to.deep.equal({ ...last });
        expect((await readdir(folder)).filter((entry) => entry.startsWith('..')).length).to.equal(2);
      }),
      { numRuns: 40 },
    );
  });
});
