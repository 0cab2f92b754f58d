import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, rename, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { StorageError, type StoredObject } from '../../../src/storage/index.ts';
import { openSqliteStorage, type SqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { rejectsWith, written } from '../../conformance/storage/expect.ts';
import { makeValue } from '../../conformance/storage/values.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';

const mebibyte = 1024 * 1024;
const content = 'x'.repeat(20_000);
const copiedBytes = 10 * mebibyte;

describe('openSqliteStorage on a disk that fails', function () {
  this.timeout(60_000);
  let directory: TemporaryDirectory;
  let path: string;
  let storage: SqliteStorage | undefined;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    path = join(directory.path, 'store.db');
  });
  afterEach(async () => {
    await storage?.[Symbol.asyncDispose]();
    storage = undefined;
    await directory[Symbol.asyncDispose]();
  });
  const openStore = async (clock = new ManualClock()): Promise<SqliteStorage> => {
    storage = await openSqliteStorage({ path, dialect: 'orch', clock });
    return storage;
  };
  const reopen = async (): Promise<SqliteStorage> => {
    await storage?.[Symbol.asyncDispose]();
    storage = undefined;
    return openStore();
  };
  const create = async (store: SqliteStorage, key: string): Promise<StoredObject> =>
    written(await store.create(key, makeValue('x', content)));
  /** So much that the log was copied into the file, which has at least the pages of the first objects then. */
  const fill = async (store: SqliteStorage): Promise<readonly StoredObject[]> => {
    const objects: StoredObject[] = [];
    for (let bytes = 0; bytes < copiedBytes; bytes += 25 * content.length) {
      const keys = Array.from({ length: 25 }, (_, i) => `/fill/${bytes}/${i}`);
      objects.push(...(await Promise.all(keys.map((key) => create(store, key)))));
    }
    expect((await stat(path)).size).to.be.above(mebibyte);
    return objects;
  };
  const messageOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => (error instanceof StorageError ? `${error.code}: ${error.message}` : String(error)),
    );

  describe('that takes no more bytes than a limit', () => {
    /** Files of this process grow no further, and writes beyond fail with EFBIG, as on a file system with that limit. */
    const limitFiles = (bytes: number | 'unlimited'): void => {
      execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
    };
    before(function () {
      // A tool of the base system, which minimal images leave out.
      if (!existsSync('/usr/bin/prlimit')) this.skip();
    });
    afterEach(() => limitFiles('unlimited'));

    /** Creates objects until one fails, which it returns with those that were acknowledged. */
    const writeUntilFailure = async (
      store: SqliteStorage,
      prefix: string,
    ): Promise<{ readonly acknowledged: readonly StoredObject[]; readonly error: unknown }> => {
      const acknowledged: StoredObject[] = [];
      for (let i = 0; i < 2000; i++) {
        try {
          acknowledged.push(await create(store, `${prefix}${i}`));
        } catch (error) {
          return { acknowledged, error };
        }
      }
      expect.fail('expected a write to fail');
    };
    const assertHolds = async (store: SqliteStorage, expected: readonly StoredObject[]): Promise<void> => {
      const { objects } = await store.range({ prefix: '/' });
      const line = ({ key, bytes }: StoredObject): string => `${key} ${bytes}`;
      expect(objects.map(line)).to.deep.equal(expected.map(line).toSorted());
    };

    // The log reaches the first limit itself; at the other the file does, to which the log can no longer be copied.
    for (const [what, limitBytes] of [
      ['log', mebibyte],
      ['file', 11 * mebibyte],
    ] as const) {
      it(`refuses writes when the ${what} cannot grow, reads on, recovers by itself and loses nothing`, async () => {
        const store = await openStore();
        const first = await create(store, '/a');
        limitFiles(limitBytes);
        const { acknowledged, error } = await writeUntilFailure(store, '/b/');
        expect(error).to.be.instanceOf(StorageError);
        expect(String(error)).to.match(/disk of the database failed: .*SQLITE_IOERR_WRITE/);
        expect((error as StorageError).code).to.equal('unavailable');
        await rejectsWith('unavailable', () => store.ping());
        await rejectsWith('unavailable', () => store.update('/a', first.revision, makeValue('x', content)));
        await assertHolds(store, [first, ...acknowledged]);
        limitFiles('unlimited');
        await store.ping();
        const next = await create(store, '/c');
        expect(next.revision).to.equal(acknowledged.length + 3);
        const again = await reopen();
        await assertHolds(again, [first, ...acknowledged, next]);
        expect(await again.verify('full')).to.deep.equal([]);
      });
    }

    it('writes all of a batch or nothing', async () => {
      const store = await openStore();
      limitFiles(mebibyte);
      const results = await Promise.allSettled(
        Array.from({ length: 100 }, (_, i) => create(store, `/batch/${i}`)),
      );
      expect(new Set(results.map(({ status }) => status))).to.deep.equal(new Set(['rejected']));
      await assertHolds(store, []);
      expect(await store.currentRevision()).to.equal(1);
      limitFiles('unlimited');
      expect((await create(store, '/next')).revision).to.equal(2);
    });

    it('takes compactions and removes keys that ended once it can', async () => {
      const clock = new ManualClock();
      const store = await openStore(clock);
      written(await store.create('/short', makeValue('x', content), { ttlSeconds: 30 }));
      limitFiles(mebibyte);
      const { acknowledged } = await writeUntilFailure(store, '/a/');
      clock.advance(30_000);
      await rejectsWith('unavailable', () => store.ping());
      limitFiles('unlimited');
      while ((await store.get('/short')) !== undefined) clock.advance(1000);
      await store.compact(await store.currentRevision());
      expect((await store.stats()).objectCount).to.equal(acknowledged.length);
    });
  });

  describe('whose files others touch', () => {
    it('refuses writes while the database file is somewhere else, and takes them when it is back', async () => {
      const store = await openStore();
      const first = await create(store, '/a');
      await rename(path, `${path}.moved`);
      const text = `unavailable: file "${path}" of the database is gone while it was in use`;
      expect(await messageOf(create(store, '/b'))).to.equal(text);
      await rejectsWith('unavailable', () => store.ping());
      expect((await store.get('/a'))?.revision).to.equal(first.revision);
      await rename(`${path}.moved`, path);
      await store.ping();
      expect((await create(store, '/b')).revision).to.equal(first.revision + 1);
      expect((await (await reopen()).range({ prefix: '/' })).objects).to.have.lengthOf(2);
    });

    it('refuses writes once the write-ahead log is gone, which a later start would miss', async () => {
      const store = await openStore();
      await create(store, '/a');
      await unlink(`${path}-wal`);
      expect(await messageOf(create(store, '/b'))).to.match(
        /^unavailable: file ".*-wal" of the database is gone/,
      );
      expect(await store.get('/a')).to.not.equal(undefined);
    });

    it('refuses writes once another file has its name', async () => {
      const store = await openStore();
      await create(store, '/a');
      await rename(path, `${path}.moved`);
      await writeFile(path, 'other');
      expect(await messageOf(create(store, '/b'))).to.match(
        /^unavailable: file ".*" of the database was replaced/,
      );
      await rename(`${path}.moved`, path);
      await create(store, '/b');
    });

    it('refuses writes once the file was cut, reads what it can, and is found damaged by the next start', async () => {
      const store = await openStore();
      await fill(store);
      const { size } = await stat(path);
      await truncate(path, mebibyte);
      const message = await messageOf(create(store, '/b'));
      expect(message).to.include(
        `corrupt: database "${path}" is damaged: it was cut from ${size} to ${mebibyte} bytes`,
      );
      expect(message).to.include('orch storage check');
      await rejectsWith('unavailable', () => store.ping());
      expect(await store.stats()).to.not.equal(undefined);
      expect(await messageOf(reopen())).to.match(/^corrupt: database ".*" is damaged/);
    });

    it('reports what was overwritten as damage, and serves the rest', async () => {
      let store = await openStore();
      const objects = await fill(store);
      store = await reopen();
      const page = 8192;
      const file = await open(path, 'r+');
      const { size } = await file.stat();
      await file.write(Buffer.alloc(size / 2, 0x5a), 0, undefined, Math.floor(size / 4 / page) * page);
      await file.close();
      const outcomes = new Set<string>();
      for (const { key, revision } of objects) {
        const outcome = await store.get(key).then(
          (object) => `read ${object?.revision === revision}`,
          (error: unknown) => (error instanceof StorageError ? error.code : String(error)),
        );
        outcomes.add(outcome);
      }
      expect([...outcomes].toSorted()).to.deep.equal(['corrupt', 'read true']);
      expect(await store.verify('quick').catch(({ code }: StorageError) => [code])).to.not.be.empty;
    });

    it('goes on after free pages were given back, which makes the file smaller', async () => {
      const store = await openStore();
      const objects = await fill(store);
      const before = (await stat(path)).size;
      await Promise.all(objects.map(({ key, revision }) => store.delete(key, revision)));
      await store.compact(await store.currentRevision());
      await store.vacuum();
      expect((await stat(path)).size).to.be.below(before);
      await create(store, '/b');
      await fill(store);
      await create(store, '/c');
    });
  });

  it('says that a directory cannot be written, and opens once it can', async function () {
    const mount = (options: string): void => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory.path], { stdio: 'pipe' });
    };
    try {
      mount('size=4m');
    } catch {
      // Mounting takes the rights of root, which only the machines of the project's checks are sure to have.
      this.skip();
    }
    try {
      await create(await openStore(), '/a');
      await storage?.[Symbol.asyncDispose]();
      mount('remount,ro');
      const text = `unavailable: database "${path}" cannot be written: Error: EROFS`;
      expect(await messageOf(openStore())).to.include(text);
      const other = openSqliteStorage({ path: join(directory.path, 'new.db'), dialect: 'orch' });
      expect(await messageOf(other)).to.match(
        /^unavailable: database ".*new.db" cannot be written: Error: EROFS/,
      );
      mount('remount,rw');
      expect(await (await openStore()).get('/a')).to.not.equal(undefined);
    } finally {
      await storage?.[Symbol.asyncDispose]();
      execFileSync('umount', [directory.path]);
    }
  });
});
