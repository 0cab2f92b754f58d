import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Header, pack } from 'tar-stream';
import { Extractor } from '../../../../src/ctl/cp/extract.ts';
import { failureOf } from '../../../support/failure.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { longName, makeTree } from './tree.ts';

type Content = Pick<Header, 'name'> & Partial<Header> & { readonly content?: string };

async function archiveOf(...entries: readonly Content[]): Promise<Buffer> {
  const archive = pack();
  for (const { content = '', ...header } of entries) archive.entry({ ...header }, content);
  archive.finalize();
  return buffer(Readable.from(archive));
}

describe('Extractor', () => {
  let folder: TemporaryDirectory;
  let warnings: string;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    warnings = '';
  });
  afterEach(() => folder.remove());

  /** Unpacks an archive that comes in parts of this size. */
  async function unpack(archive: Buffer, source: string, partBytes = archive.length): Promise<void> {
    const output = {
      isTerminal: false,
      write(content: string | Uint8Array) {
        warnings += String(content);
      },
    };
    const extractor = new Extractor({ source, destination: join(folder.path, 'out'), warnings: output });
    for (let at = 0; at < archive.length; at += partBytes) {
      extractor.push(archive.subarray(at, at + partBytes));
    }
    // What came is looked at before the end is.
    await new Promise((resolve) => setImmediate(resolve));
    extractor.end();
    await extractor.finished;
  }
  const extract = async (source: string, ...entries: readonly Content[]): Promise<void> =>
    unpack(await archiveOf(...entries), source);
  const read = (...path: string[]): string => readFileSync(join(folder.path, ...path), 'utf8');

  it('writes a file under the name that is asked for', async () => {
    await extract('/etc/hosts', { name: 'etc/hosts', content: 'here' });
    expect(read('out')).to.equal('here');
  });

  it('writes a file into a folder that is there', async () => {
    await mkdir(join(folder.path, 'out'));
    await extract('/etc/hosts', { name: 'etc/hosts', content: 'here' });
    expect(read('out', 'hosts')).to.equal('here');
  });

  it('writes a tree', async () => {
    await extract(
      './srv/www/',
      { name: './srv/www/', type: 'directory' },
      { name: './srv/www/a', content: '1' },
      { name: './srv/www/deep/b', content: '2' },
      { name: './srv/www/empty/', type: 'directory' },
      { name: './srv/www/none', content: '' },
    );
    expect([read('out', 'a'), read('out', 'deep', 'b'), read('out', 'none')]).to.deep.equal(['1', '2', '']);
    expect(await readdir(join(folder.path, 'out', 'empty'))).to.deep.equal([]);
  });

  it('makes no links', async () => {
    await extract('d', { name: 'd/link', type: 'symlink', linkname: '/etc/passwd' }, { name: 'd/x' });
    expect(existsSync(join(folder.path, 'out', 'link'))).to.equal(false);
    expect(existsSync(join(folder.path, 'out', 'x'))).to.equal(true);
    expect(warnings).to.match(/^warning: skipping symlink: ".*\/out\/link" -> "\/etc\/passwd"\n$/);
  });

  it('writes nothing outside', async () => {
    await extract(
      'd',
      { name: 'd/../../escaped', content: 'x' },
      { name: 'd/../beside', content: 'x'.repeat(100_000) },
    );
    expect(await readdir(folder.path)).to.deep.equal([]);
    expect(warnings.match(/is outside target destination, skipping/g)).to.have.length(2);
  });

  it('refuses what was not asked for, at once', async () => {
    for (const name of ['other', 'dd', '/d/x']) {
      const extractor = new Extractor({
        source: 'd',
        destination: join(folder.path, 'out'),
        warnings: { isTerminal: false, write: () => {} },
      });
      extractor.push(await archiveOf({ name }));
      expect(await failureOf(extractor.finished), name).to.have.property('message', 'tar contents corrupted');
      extractor.push(Buffer.alloc(1024, 'x'));
      extractor.end();
    }
  });

  for (const format of ['gnu', 'pax', 'ustar', 'v7']) {
    it(`unpacks what tar writes as ${format}, however it is cut`, async () => {
      // Neither of the old formats has room for names that are longer.
      const isLong = format === 'gnu' || format === 'pax';
      await makeTree(join(folder.path, 'tree'), isLong ? longName : 'short');
      const archive = join(folder.path, 'made.tar');
      await promisify(execFile)('tar', [`--format=${format}`, '-cf', archive, '-C', folder.path, 'tree']);
      const bytes = await readFile(archive);
      for (const partBytes of [bytes.length, 511, 7]) {
        await unpack(bytes, 'tree', partBytes);
        const { stdout } = await promisify(execFile)('diff', ['-r', 'tree', 'out'], {
          cwd: folder.path,
        }).catch((error: { readonly stdout: string }) => error);
        // The link leads nowhere, and is not made.
        expect(stdout).to.equal('Only in tree: link\n');
      }
    });
  }

  it('refuses what is cut short or no archive', async () => {
    const archive = await archiveOf({ name: 'd/x', content: 'x'.repeat(2000) });
    const messages = [archive.subarray(0, 300), archive.subarray(0, 1000), Buffer.alloc(1024, 'x')].map(
      async (bytes) => (await failureOf(unpack(bytes, 'd'))).message,
    );
    expect(await Promise.all(messages)).to.deep.equal([
      'unexpected EOF',
      'unexpected EOF',
      'archive/tar: invalid tar header',
    ]);
  });
});
