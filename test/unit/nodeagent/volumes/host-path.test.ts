import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { describeError } from '../../../../src/nodeagent/volumes/describe-error.ts';
import { checkHostPath } from '../../../../src/nodeagent/volumes/host-path.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('checkHostPath', () => {
  let directory: TemporaryDirectory;
  const server = createServer();
  before(async () => {
    directory = await makeTemporaryDirectory();
    await mkdir(join(directory.path, 'dir'));
    await writeFile(join(directory.path, 'file'), 'x');
    await symlink('dir', join(directory.path, 'link'));
    await new Promise<void>((resolve) => server.listen(join(directory.path, 'socket'), resolve));
  });
  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    await directory.remove();
  });
  const at = (name: string) => (name.startsWith('/') ? name : join(directory.path, name));
  const check = (name: string, type?: string) => checkHostPath({ path: at(name), type });
  const refusal = (name: string, type: string) =>
    check(name, type).then(
      () => 'taken',
      (error) => describeError(error).replaceAll(directory.path, 'ROOT'),
    );

  for (const [name, type] of [
    ['missing', ''],
    ['dir', 'Directory'],
    ['link', 'Directory'],
    ['dir', 'DirectoryOrCreate'],
    ['file', 'File'],
    ['file', 'FileOrCreate'],
    ['socket', 'Socket'],
    ['/dev/null', 'CharDevice'],
  ] as const) {
    it(`takes ${name} as ${type || 'anything'}`, async () => {
      await check(name, type);
    });
  }

  for (const [name, type, noun] of [
    ['file', 'Directory', 'a directory'],
    ['missing', 'Directory', 'a directory'],
    ['file', 'DirectoryOrCreate', 'a directory'],
    ['dir', 'File', 'a file'],
    ['missing', 'File', 'a file'],
    ['socket', 'File', 'a file'],
    ['/dev/null', 'File', 'a file'],
    ['socket', 'FileOrCreate', 'a file'],
    ['dir', 'FileOrCreate', 'a file'],
    ['file', 'Socket', 'a socket file'],
    ['dir', 'CharDevice', 'a character device'],
    ['/dev/null', 'BlockDevice', 'a block device'],
  ] as const) {
    it(`refuses ${name} as ${type}`, async () => {
      const path = name.startsWith('/') ? name : `ROOT/${name}`;
      expect(await refusal(name, type)).to.equal(`hostPath type check failed: ${path} is not ${noun}`);
    });
  }

  it('makes folders with all above them, and files in folders that are there', async () => {
    await check('new/deep', 'DirectoryOrCreate');
    await check('new/file', 'FileOrCreate');
    expect((await stat(at('new/deep'))).mode & 0o777).to.equal(0o755);
    const file = await stat(at('new/file'));
    expect([file.size, file.mode & 0o777]).to.deep.equal([0, 0o644]);
    expect(await refusal('nowhere/file', 'FileOrCreate')).to.equal(
      'open ROOT/nowhere/file: no such file or directory',
    );
  });

  it('refuses unknown types and paths that go back', async () => {
    expect(await refusal('dir', 'Nope')).to.equal('Nope is an invalid volume type');
    expect(await refusal('dir', 'SocketOrCreate')).to.equal('SocketOrCreate is an invalid volume type');
    expect(await refusal('/a/../b', '')).to.equal("invalid HostPath `/a/../b`: must not contain '..'");
  });
});
