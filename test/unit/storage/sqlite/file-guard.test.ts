import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from 'chai';
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
    assert.equal(findingOf(guard), 'sound');
    await truncate(path, 2000);
    await truncate(`${path}-wal`, 0);
    assert.equal(findingOf(guard), 'sound');
  });

  it('finds the file cut, also below what it grew to', async () => {
    const guard = new FileGuard(path, { mayShrink: false });
    await truncate(path, 2000);
    assert.equal(findingOf(guard), 'sound');
    await truncate(path, 1500);
    assert.equal(findingOf(guard), 'corrupt');
    assert.equal(findingOf(guard), 'corrupt');
  });

  it('takes a smaller file from when pages are given up until the log was copied', async () => {
    const guard = new FileGuard(path, { mayShrink: false });
    guard.allowShrink();
    await truncate(path, 800);
    assert.equal(findingOf(guard), 'sound');
    await truncate(path, 600);
    guard.endShrink();
    assert.equal(findingOf(guard), 'sound');
    await truncate(path, 500);
    assert.equal(findingOf(guard), 'corrupt');
  });

  it('takes a smaller file after a stop that left a log', async () => {
    const guard = new FileGuard(path, { mayShrink: true });
    await truncate(path, 500);
    assert.equal(findingOf(guard), 'sound');
  });

  for (const suffix of ['', '-wal']) {
    it(`finds the file "${suffix}" gone, replaced and back`, async () => {
      const guard = new FileGuard(path, { mayShrink: false });
      const name = path + suffix;
      await rename(name, `${name}.moved`);
      assert.equal(findingOf(guard), 'unavailable');
      await writeFile(name, Buffer.alloc(5000));
      assert.equal(findingOf(guard), 'unavailable');
      await rename(`${name}.moved`, name);
      assert.equal(findingOf(guard), 'sound');
    });
  }

  it('does without a log that could not be made', async () => {
    await rm(`${path}-wal`);
    assert.equal(findingOf(new FileGuard(path, { mayShrink: false })), 'sound');
  });
});
