import { chmod, link, lstat, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { measureFolder } from '../../../../src/nodeagent/volumes/measure-folder.ts';
import { setOwnership } from '../../../../src/nodeagent/volumes/ownership.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('folders of volumes', () => {
  let directory: TemporaryDirectory;
  let folder: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    folder = join(directory.path, 'v');
    await mkdir(join(folder, 'sub'), { recursive: true });
    await writeFile(join(folder, 'sub/f'), 'x'.repeat(5000), { mode: 0o600 });
    await writeFile(join(directory.path, 'outside'), '', { mode: 0o600 });
    await symlink('../outside', join(folder, 'link'));
    await chmod(folder, 0o777);
  });
  afterEach(() => directory.remove());
  const look = async (path: string) => {
    const { mode, gid } = await lstat(join(folder, path));
    return `${(mode & 0o7777).toString(8)} ${gid}`;
  };

  describe('setOwnership', () => {
    it('gives all to the group, which may write', async () => {
      await setOwnership(folder, { groupId: 2000, isReadOnly: false });
      expect([await look('.'), await look('sub'), await look('sub/f')]).to.deep.equal([
        '2777 2000',
        '2775 2000',
        '660 2000',
      ]);
    });

    it('lets the group only read what is read-only', async () => {
      await setOwnership(folder, { groupId: 2000, isReadOnly: true });
      expect([await look('sub'), await look('sub/f')]).to.deep.equal(['2755 2000', '640 2000']);
    });

    it('touches neither a link nor what it leads to', async () => {
      await setOwnership(folder, { groupId: 2000, isReadOnly: false });
      const { gid, mode } = await stat(join(directory.path, 'outside'));
      expect([gid === 2000, mode & 0o777]).to.deep.equal([false, 0o600]);
      expect((await lstat(join(folder, 'link'))).gid).not.to.equal(2000);
    });

    it('looks at the root only when that is asked for and it is as it should be', async () => {
      await setOwnership(folder, { groupId: 2000, isReadOnly: false });
      await chmod(join(folder, 'sub/f'), 0o600);
      await setOwnership(folder, { groupId: 2000, isReadOnly: false, isByRootOnly: true });
      expect(await look('sub/f')).to.equal('600 2000');
      await chmod(folder, 0o700);
      await setOwnership(folder, { groupId: 2000, isReadOnly: false, isByRootOnly: true });
      expect(await look('sub/f')).to.equal('660 2000');
    });
  });

  describe('measureFolder', () => {
    it('counts blocks and files, one with several names once, and follows no link', async () => {
      const before = await measureFolder(folder);
      await link(join(folder, 'sub/f'), join(folder, 'again'));
      const after = await measureFolder(folder);
      expect(before.inodesUsed).to.equal(4);
      expect(before.usedBytes).to.be.at.least(5000);
      expect([after.inodesUsed, after.usedBytes - before.usedBytes < 5000]).to.deep.equal([4, true]);
      expect(before.capacityBytes).to.be.greaterThan(before.availableBytes);
    });

    it('counts many files', async () => {
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => writeFile(join(folder, `sub/${index}`), '')),
      );
      expect((await measureFolder(folder)).inodesUsed).to.equal(204);
    });
  });
});
