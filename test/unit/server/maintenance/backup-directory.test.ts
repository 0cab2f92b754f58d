import { spawnSync } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeBackupDirectory } from '../../../../src/server/maintenance/backup-directory.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('makeBackupDirectory', () => {
  it('makes a private folder that goes away', async () => {
    await using parent = await makeTemporaryDirectory();
    {
      await using directory = await makeBackupDirectory(parent.path);
      expect((await stat(directory.path)).mode & 0o777).to.equal(0o700);
    }
    expect(await readdir(parent.path)).to.deep.equal([]);
  });

  it('removes what killed processes left, and nothing else', async () => {
    await using parent = await makeTemporaryDirectory();
    const dead = spawnSync(process.execPath, ['--version']).pid;
    const kept = [`.backup-${process.ppid}-abcdef`, '.backup-x-abcdef', 'pki'];
    for (const name of [`.backup-${dead}-abcdef`, `.backup-${process.pid}-abcdef`, ...kept]) {
      await mkdir(join(parent.path, name));
    }
    await (await makeBackupDirectory(parent.path))[Symbol.asyncDispose]();
    expect(await readdir(parent.path)).to.have.members(kept);
  });
});
