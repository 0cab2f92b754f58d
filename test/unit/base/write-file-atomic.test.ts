import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { renameDurably, writeFileAtomic } from '../../../src/base/index.ts';

describe('writeFileAtomic', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orch-atomic-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const isDurable of [false, true]) {
    it(`makes a file, and replaces it${isDurable ? ', durably' : ''}`, async () => {
      const path = join(folder, 'a.txt');
      await writeFileAtomic(path, 'one', { isDurable });
      await writeFileAtomic(path, Buffer.from('two'), { isDurable });
      expect(await readFile(path, 'utf8')).to.equal('two');
      expect(await readdir(folder)).to.deep.equal(['a.txt']);
    });
  }

  it('is readable by its owner only, unless told otherwise', async () => {
    const [own, others] = [join(folder, 'own'), join(folder, 'others')];
    await writeFileAtomic(own, '');
    await writeFileAtomic(others, '', { mode: 0o644 });
    expect((await stat(own)).mode & 0o777).to.equal(0o600);
    expect((await stat(others)).mode & 0o777).to.equal(0o644 & ~process.umask());
  });

  it('has the new mode where a file with another one is replaced', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'one');
    await chmod(path, 0o644);
    await writeFileAtomic(path, 'two');
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('replaces a link and leaves alone what it leads to', async () => {
    const [target, link] = [join(folder, 'target'), join(folder, 'link')];
    await writeFile(target, 'kept');
    await symlink(target, link);
    await writeFileAtomic(link, 'new');
    expect([await readFile(target, 'utf8'), await readFile(link, 'utf8')]).to.deep.equal(['kept', 'new']);
  });

  it('leaves nothing behind when it fails', async () => {
    const path = join(folder, 'taken');
    await mkdir(path);
    const error = await writeFileAtomic(path, 'text').catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'EISDIR');
    expect(await readdir(folder)).to.deep.equal(['taken']);
  });

  it('says what the system says where there is no such folder', async () => {
    const error = await writeFileAtomic(join(folder, 'none', 'a'), '').catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'ENOENT');
  });

  it('writes the whole of one content when several write at once', async () => {
    const path = join(folder, 'a.txt');
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
    await Promise.all(contents.map((content) => writeFileAtomic(path, content)));
    expect(contents).to.include(await readFile(path, 'utf8'));
    expect(await readdir(folder)).to.deep.equal(['a.txt']);
  });
});

describe('renameDurably', () => {
  it('names files and folders', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orch-rename-'));
    try {
      await mkdir(join(folder, 'draft'));
      await writeFile(join(folder, 'draft', 'a'), 'text');
      await renameDurably(join(folder, 'draft'), join(folder, 'done'));
      expect(await readFile(join(folder, 'done', 'a'), 'utf8')).to.equal('text');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
