import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { DatabaseFailure } from '../../../../src/storage/sqlite/failure.ts';
import { FileGuard } from '../../../../src/storage/sqlite/file-guard.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

describe('FileGuard', () => {
  let directory: TemporaryDirectory;
  let path: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    path = join(directory.path, 'store.db');
    await writeFile(path, Buffer.alloc(1000));
    await writeFile(`${path}-wal`, Buffer.alloc(100));
  });
  afterEach(() => directory.remove());
  const findingOf = (guard: FileGuard): string => {
    try {
      guard.check();
      return 'sound';
    } catch (error) {
      return error instanceof DatabaseFailure ? error.code : String(error);
    }
  };

  it('takes a file that grows, and a log of any size', async () => {
    const guard = new FileGuard(path, { mayShrink: false });
    expect(findingOf(guard)).to.equal('sound');
    await truncate(path, 2000);
    await truncate(`${path}-wal`, 0);
    expect(findingOf(guard)).to.equal('sound');
  });

  it('finds the file cut, also below what it grew to', async () => {
    const guard = new FileGuard(path, { mayShrink: false });
    await truncate(path, 2000);
    expect(findingOf(guard)).to.equal('sound');
    await truncate(path, 1500);
    expect(findingOf(guard)).to.equal('corrupt');
    expect(findingOf(guard)).to.equal('corrupt');
  });

  it('takes a smaller file from when pages are given up until the log was copied', async () => {
    const guard = new FileGuard(path, { mayShrink: false });
    guard.allowShrink();
    await truncate(path, 800);
    expect(findingOf(guard)).to.equal('sound');
    await truncate(path, 600);
    guard.endShrink();
    expect(findingOf(guard)).to.equal('sound');
    await truncate(path, 500);
    expect(findingOf(guard)).to.equal('corrupt');
  });

  it('takes a smaller file after a stop that left a log', async () => {
    const guard = new FileGuard(path, { mayShrink: true });
    await truncate(path, 500);
    expect(findingOf(guard)).to.equal('sound');
  });

  for (const suffix of ['', '-wal']) {
    it(`finds the file "${suffix}" gone, replaced and back`, async () => {
      const guard = new FileGuard(path, { mayShrink: false });
      const name = path + suffix;
      await rename(name, `${name}.moved`);
      expect(findingOf(guard)).to.equal('unavailable');
      await writeFile(name, Buffer.alloc(5000));
      expect(findingOf(guard)).to.equal('unavailable');
      await rename(`${name}.moved`, name);
      expect(findingOf(guard)).to.equal('sound');
    });
  }

  it('does without a log that could not be made', async () => {
    await rm(`${path}-wal`);
    expect(findingOf(new FileGuard(path, { mayShrink: false }))).to.equal('sound');
  });
});
