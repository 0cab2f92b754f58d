import { chmod, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { machineFiles } from '../../../../src/nodeagent/lifecycle/pod-files.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('a file that a container needs', () => {
  it('is not written again while it is right: others read it', async () => {
    await using folder = await makeTemporaryDirectory();
    const path = join(folder.path, 'pods', 'etc-hosts');
    const write = (content: string) => machineFiles.write({ path, content, mode: 0o644 });
    await write('127.0.0.1 localhost\n');
    const before = await stat(path);
    await utimes(path, 1, 1);
    await chmod(path, 0o600);
    await write('127.0.0.1 localhost\n');
    const after = await stat(path);
    expect(after.mtimeMs).to.equal(1000);
    expect(after.mode & 0o777).to.equal(0o644);

    await write('::1 localhost\n');
    expect(await readFile(path, 'utf8')).to.equal('::1 localhost\n');
    expect((await stat(path)).ino).to.equal(before.ino);
  });
});
