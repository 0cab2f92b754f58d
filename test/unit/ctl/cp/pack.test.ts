import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packFiles } from '../../../../src/ctl/cp/pack.ts';
import { failureOf } from '../../../support/failure.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { makeTree } from './tree.ts';

const run = promisify(execFile);

describe('packFiles', () => {
  let folder: TemporaryDirectory;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    await mkdir(join(folder.path, 'unpacked'));
  });
  afterEach(() => folder.remove());

  /** Has tar unpack what is made of a file or folder. */
  async function unpack(path: string): Promise<void> {
    const archive = join(folder.path, 'own.tar');
    await writeFile(archive, await buffer(packFiles(path, 'tree')));
    await run('tar', ['-xpf', archive, '-C', join(folder.path, 'unpacked')]);
  }
  const describeFile = async (format: string, name = ''): Promise<string> =>
    (await run('stat', ['-c', format, join(folder.path, 'unpacked/tree', name)])).stdout;

  it('packs a tree', async () => {
    const tree = join(folder.path, 'tree');
    await makeTree(tree);
    await writeFile(join(tree, 'grüße'), 'umlauts');
    await unpack(tree);
    await run('diff', ['-r', '--no-dereference', tree, join(folder.path, 'unpacked', 'tree')]);
    expect(await describeFile('%a %Y', 'plain.txt')).to.equal('640 1000000\n');
  });

  it('packs a file without permissions, of the far future', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, 'content');
    await chmod(file, 0);
    await utimes(file, 2 ** 33, 2 ** 33);
    await unpack(file);
    expect(await describeFile('%a %s %Y')).to.equal(`0 7 ${2 ** 31 - 1}\n`);
  });

  it('packs a file whose owners have large numbers', async function () {
    if (process.getuid?.() !== 0) this.skip(); // only root gives files away
    const file = join(folder.path, 'file');
    await writeFile(file, 'content');
    await chown(file, 1_234_567_890, 262_144);
    await unpack(file);
    expect(await describeFile('%u %g')).to.equal('1234567890 262144\n');
  });

  it('fails when there is nothing', async () => {
    expect(await failureOf(buffer(packFiles(join(folder.path, 'none'), 'x')))).to.have.property(
      'code',
      'ENOENT',
    );
  });
});
