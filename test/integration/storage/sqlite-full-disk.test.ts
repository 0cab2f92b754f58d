import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { StorageError, StoredObject } from '../../../src/storage/index.ts';
import { openSqliteStorage, type SqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { rejectsWith, written } from '../../conformance/storage/expect.ts';
import { makeValue } from '../../conformance/storage/values.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';

const mebibyte = 1024 * 1024;
const content = 'x'.repeat(20_000);

/** The system calls of a full disk, on a small file system in memory that only these tests use. */
describe('openSqliteStorage on a full disk', function () {
  this.timeout(60_000);
  let disk: string;
  let isMounted = false;
  let storage: SqliteStorage | undefined;
  before(async function () {
    disk = await mkdtemp(join(tmpdir(), 'storage-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk], { stdio: 'pipe' });
      isMounted = true;
    } catch {
      // Mounting takes the rights of root, which only the machines of the project's checks are sure to have.
      this.skip();
    }
  });
  after(async () => {
    if (isMounted) execFileSync('umount', [disk]);
    await rm(disk, { recursive: true });
  });
  const path = (): string => join(disk, 'store.db');
  const open = async (clock = new ManualClock()): Promise<SqliteStorage> => {
    storage = await openSqliteStorage({ path: path(), dialect: 'orch', clock });
    return storage;
  };
  beforeEach(() => removeAll());
  afterEach(async () => {
    await storage?.[Symbol.asyncDispose]();
    await removeAll();
  });
  const removeAll = async (): Promise<void> => {
    for (const name of ['store.db', 'store.db-wal', 'filler', 'copy.db'])
      await rm(join(disk, name), { force: true });
  };
  /** Leaves no more than `leftBytes`. */
  const takeSpace = async (leftBytes = 100_000): Promise<void> => {
    const { bavail, bsize } = await statfs(disk);
    const bytes = Math.max(0, bavail * bsize - leftBytes);
    await writeFile(join(disk, 'filler'), Buffer.alloc(bytes), { flag: 'a' });
  };
  const freeSpace = (): Promise<void> => rm(join(disk, 'filler'), { force: true });

  /** Creates objects until one fails, which it returns with those that were acknowledged. */
  async function writeUntilFull(
    store: SqliteStorage,
    prefix: string,
  ): Promise<{ readonly acknowledged: readonly StoredObject[]; readonly error: StorageError }> {
    const acknowledged: StoredObject[] = [];
    for (let i = 0; ; i++) {
      try {
        acknowledged.push(written(await store.create(`${prefix}${i}`, makeValue('x', content))));
      } catch (error) {
        // Whatever it is, the caller looks at its code.
        return { acknowledged, error: error as StorageError };
      }
    }
  }

  it('refuses writes, reads on, recovers by itself and loses nothing', async () => {
    const store = await open();
    const first = written(await store.create('/first', makeValue('x', content)));
    await takeSpace();
    const { acknowledged, error } = await writeUntilFull(store, '/a/');
    expect(error.code).to.equal('disk-full');
    expect(error.message).to.match(/^no space is left for the database: /);
    const revision = 2 + acknowledged.length;
    expect(await store.currentRevision()).to.equal(revision);
    expect((await store.range({ prefix: '/a/' })).objects.length).to.deep.equal(acknowledged.length);
    await rejectsWith('disk-full', () => store.update('/first', first.revision, makeValue('x', content)));
    await rejectsWith('unavailable', () => store.ping());
    expect((await store.get('/first'))?.revision).to.equal(first.revision);
    await freeSpace();
    await store.ping();
    const next = written(await store.create('/next', makeValue('x', content)));
    expect(next.revision).to.equal(revision + 1);
    await store[Symbol.asyncDispose]();
    const again = await open();
    expect(await again.currentRevision()).to.equal(revision + 1);
    const { objects } = await again.range({ prefix: '/' });
    const expected = [...acknowledged, first, next].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    expect(objects.map(({ key, bytes }) => [key, bytes.toString()])).to.deep.equal(
      expected.map(({ key, bytes }) => [key, bytes.toString()]),
    );
    expect(await again.verify('full')).to.deep.equal([]);
  });

  it('survives many turns of full and free, with large batches', async () => {
    const store = await open();
    const revisions = new Map<string, number>();
    let failures = 0;
    for (let turn = 0; turn < 8; turn++) {
      // In every other turn there is space for the batch.
      if (turn % 2 === 1) await takeSpace();
      const results = await Promise.allSettled(
        Array.from({ length: 60 }, (_, i) => {
          const key = `/k/${i}`;
          const value = makeValue('x', content);
          const known = revisions.get(key);
          return known === undefined ? store.create(key, value) : store.update(key, known, value);
        }),
      );
      for (const result of results) {
        if (result.status === 'rejected') {
          failures++;
          expect(result.reason.code).to.equal('disk-full');
        } else revisions.set(written(result.value).key, written(result.value).revision);
      }
      await store.compact(await store.currentRevision()).catch(() => {});
      await freeSpace();
      await store.ping();
      for (const [key, revision] of revisions) expect((await store.get(key))?.revision).to.equal(revision);
      const one = written(await store.create(`/turn/${turn}`, makeValue('x')));
      expect(await store.currentRevision()).to.equal(one.revision);
    }
    expect(failures).to.be.above(0);
    expect(revisions.size).to.be.above(0);
    await store.compact(await store.currentRevision());
    await store[Symbol.asyncDispose]();
    const again = await open();
    expect((await again.stats()).objectCount).to.equal(revisions.size + 8);
    expect(await again.verify('quick')).to.deep.equal([]);
  });

  it('removes keys that ended meanwhile once there is space', async () => {
    const clock = new ManualClock();
    const store = await open(clock);
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        store.create(`/short/${i}`, makeValue('x', content), { ttlSeconds: 30 }),
      ),
    );
    await takeSpace();
    await writeUntilFull(store, '/a/');
    clock.advance(30_000);
    await rejectsWith('unavailable', () => store.ping());
    await freeSpace();
    await store.ping();
    while ((await store.range({ prefix: '/short/' })).objects.length > 0) clock.advance(1000);
  });

  it('opens to be read while the disk is full', async () => {
    const store = await open();
    await takeSpace();
    const { acknowledged } = await writeUntilFull(store, '/a/');
    await store[Symbol.asyncDispose]();
    await takeSpace(0);
    const again = await open();
    expect((await again.range({ prefix: '/a/' })).objects).to.have.lengthOf(acknowledged.length);
    await rejectsWith('disk-full', () => again.create('/b', makeValue('x', content)));
  });

  it('leaves no part of a backup that does not fit', async () => {
    const store = await open();
    await store.create('/a', makeValue('x', 'x'.repeat(mebibyte)));
    await takeSpace();
    await rejectsWith('disk-full', () => store.backupTo(join(disk, 'copy.db')));
    await freeSpace();
    expect((await store.backupTo(join(disk, 'copy.db'))).objectCount).to.equal(1);
  });
});
