import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createNodeCheck } from '../../../../src/nodeagent/volumes/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('createNodeCheck', () => {
  let directory: TemporaryDirectory;
  const advice =
    'Verify that your node machine has the required components before attempting to mount this volume type.';
  const make = (mountProgram: string) =>
    createNodeCheck({
      mountProgram,
      searchPath: `/nowhere:${directory.path}`,
      fileSystemsFile: join(directory.path, 'filesystems'),
    });
  const failure = (check: Promise<void>): Promise<string | undefined> =>
    check.then(
      () => undefined,
      (error: { step: string; message: string }) => `${error.step}: ${error.message}`,
    );
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    await writeFile(join(directory.path, 'filesystems'), 'nodev\ttmpfs\n\text4\n');
    await writeFile(join(directory.path, 'mounter'), '', { mode: 0o755 });
  });
  afterEach(() => directory.remove());

  it('misses the program that mounts, by name or path', async () => {
    for (const name of ['nothing', join(directory.path, 'nothing')]) {
      expect(await failure(make(name)([{ kind: 'file-system', name: 'tmpfs' }]))).to.equal(
        `MountVolume.CanMount: ${advice} required binary ${name} is missing`,
      );
    }
  });

  it('misses programs and file systems, and is content when they have come', async () => {
    const program = join(directory.path, 'mount.nfs');
    const check = make('mounter');
    const needs = [
      { kind: 'file-system', name: 'ext4' },
      { kind: 'program', name: program },
    ] as const;
    await writeFile(program, '');
    expect(await failure(check(needs))).to.equal(
      `MountVolume.CanMount: ${advice} required binary ${program} is missing`,
    );
    await chmod(program, 0o755);
    expect(await failure(check(needs))).to.equal(undefined);
    expect(await failure(check([{ kind: 'file-system', name: 'hugetlbfs' }]))).to.equal(
      `MountVolume.CanMount: ${advice} required file system hugetlbfs is missing`,
    );
  });
});
