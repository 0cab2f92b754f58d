import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type TarHeader, TarReader, writeTar } from '../../../../src/ctl/tar/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const run = promisify(execFile);
const long = 'long-'.repeat(30);

interface Entry {
  readonly header: TarHeader;
  readonly content: string;
}

/** Reads an archive that comes in parts of this size. */
function readAll(archive: Buffer, partBytes = archive.length): Entry[] {
  const entries: Entry[] = [];
  let header: TarHeader | undefined;
  let parts: Buffer[] = [];
  const reader = new TarReader({
    onEntry(next) {
      header = next;
      parts = [];
    },
    onContent: (bytes) => void parts.push(Buffer.from(bytes)),
    onEntryEnd() {
      if (header !== undefined) entries.push({ header, content: Buffer.concat(parts).toString() });
    },
  });
  for (let at = 0; at < archive.length; at += partBytes) reader.push(archive.subarray(at, at + partBytes));
  reader.end();
  return entries;
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

describe('tape archives', () => {
  let folder: TemporaryDirectory;
  let tree: string;
  before(async () => {
    folder = await makeTemporaryDirectory();
    tree = join(folder.path, 'tree');
    await mkdir(join(tree, 'empty'), { recursive: true });
    await mkdir(join(tree, long, long), { recursive: true });
    await writeFile(join(tree, 'plain.txt'), 'plain', { mode: 0o640 });
    await utimes(join(tree, 'plain.txt'), 1_000_000, 1_000_000);
    await writeFile(join(tree, 'none'), '');
    await writeFile(join(tree, long, long, 'deep'), 'x'.repeat(100_000));
    await symlink(`../${long}`, join(tree, 'link'));
  });
  after(() => folder.remove());

  const contents = [
    ['empty/', ''],
    ['link', ''],
    [`${long}/${long}/deep`, 'x'.repeat(100_000)],
    ['none', ''],
    ['plain.txt', 'plain'],
  ].sort();
  const shown = (entries: readonly Entry[]) =>
    entries
      .filter(({ header }) => header.type !== '5' || header.name.endsWith('empty/'))
      .map(({ header, content }) => [header.name.slice('tree/'.length), content])
      .sort();

  it('read what they write, however it is cut', async () => {
    const archive = await collect(writeTar(tree, 'tree'));
    for (const partBytes of [archive.length, 511, 7]) {
      expect(shown(readAll(archive, partBytes))).to.deep.equal(contents);
    }
    const plain = readAll(archive).find(({ header }) => header.name === 'tree/plain.txt');
    expect(plain?.header).to.include({ mode: 0o640, modifiedAtSeconds: 1_000_000, type: '0', sizeBytes: 5 });
    const link = readAll(archive).find(({ header }) => header.name === 'tree/link');
    expect(link?.header).to.include({ type: '2', linkName: `../${long}` });
  });

  it('are read by tar', async () => {
    const archive = join(folder.path, 'own.tar');
    const target = join(folder.path, 'unpacked');
    await writeFile(archive, await collect(writeTar(tree, 'tree')));
    await mkdir(target);
    await run('tar', ['-xf', archive, '-C', target]);
    await run('diff', ['-r', '--no-dereference', tree, join(target, 'tree')]);
    const { stdout } = await run('stat', ['-c', '%a %Y', join(target, 'tree', 'plain.txt')]);
    expect(stdout).to.equal('640 1000000\n');
  });

  for (const format of ['gnu', 'pax', 'posix']) {
    it(`read what tar writes as ${format}`, async () => {
      const archive = join(folder.path, `${format}.tar`);
      await run('tar', [`--format=${format}`, '-cf', archive, '-C', folder.path, 'tree']);
      expect(shown(readAll(await readFile(archive)))).to.deep.equal(contents);
    });
  }

  it('are refused when they are cut short or are none', async () => {
    const archive = await collect(writeTar(tree, 'tree'));
    expect(() => readAll(archive.subarray(0, 1000))).to.throw('unexpected EOF');
    expect(() => readAll(Buffer.alloc(1024, 'x'))).to.throw('archive/tar: invalid tar header');
  });
});
