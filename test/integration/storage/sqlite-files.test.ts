import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { assert } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Storage, StorageError } from '../../../src/storage/index.ts';
import { openSqliteStorage, type SqliteStorageOptions } from '../../../src/storage/sqlite/index.ts';
import { rejectsWith, written } from '../../conformance/storage/expect.ts';
import { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { makeValue, readValue } from '../../conformance/storage/values.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';

const lockHolder = fileURLToPath(new URL('./lock-holder.ts', import.meta.url));

describe('openSqliteStorage', () => {
  let directory: string;
  let path: string;
  const opened: Storage[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'storage-files-'));
    path = join(directory, 'store.db');
  });
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  const openStore = async (options: Partial<SqliteStorageOptions> = {}): Promise<Storage> => {
    const storage = await openSqliteStorage({ path, dialect: 'orch', ...options });
    opened.push(storage);
    return storage;
  };
  const reopen = async (options: Partial<SqliteStorageOptions> = {}): Promise<Storage> => {
    await opened.pop()?.[Symbol.asyncDispose]();
    return openStore(options);
  };
  const messageOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => (error instanceof StorageError ? `${error.code}: ${error.message}` : String(error)),
    );
  const fill = async (storage: Storage, count: number): Promise<void> => {
    const content = 'x'.repeat(2000);
    await Promise.all(
      Array.from({ length: count }, (_, i) => storage.create(`/${i}`, makeValue('x', content))),
    );
  };

  it('keeps objects, history and the revision counter over a restart', async () => {
    const storage = await openStore();
    await storage.create('/a', makeValue('a', 1));
    await storage.update('/a', 2, makeValue('a', 2));
    await storage.create('/b', makeValue('b', 1));
    await storage.delete('/b', 4);
    const again = await reopen();
    assert.equal(await again.currentRevision(), 5);
    assert.deepEqual(readValue((await again.get('/a'))?.bytes ?? Buffer.alloc(0)), {
      resourceVersion: '3',
      content: 2,
    });
    const watch = new WatchRecorder(again, { prefix: '/', afterRevision: 2 });
    await watch.reaches(5);
    assert.deepEqual(watch.lines, ['put /a@3', 'put /b@4', 'delete /b@5']);
    assert.deepEqual((await again.range({ prefix: '/', revision: 4 })).objects.length, 2);
    assert.equal(written(await again.create('/b', makeValue('b'))).revision, 6);
  });

  it('keeps compaction and the counter over a restart when no row is left', async () => {
    const storage = await openStore();
    await storage.create('/a', makeValue('a'));
    await storage.delete('/a', 2);
    await storage.compact(3);
    const again = await reopen();
    assert.deepEqual(await again.currentRevision(), 3);
    assert.equal((await again.stats()).compactedRevision, 3);
    await rejectsWith('compacted', () => again.range({ prefix: '/', revision: 2 }));
  });

  it('keeps a raised revision counter over a restart', async () => {
    const storage = await openStore();
    await storage.create('/a', makeValue('a'));
    await storage.delete('/a', 2);
    await storage.create('/b', makeValue('b'));
    await storage.advanceRevision(5000);
    await storage.advanceRevision(10);
    assert.equal(await storage.currentRevision(), 5000);
    await rejectsWith('compacted', () => storage.range({ prefix: '/', revision: 4 }));
    const again = await reopen();
    assert.equal(await again.currentRevision(), 5000);
    assert.equal(written(await again.create('/c', makeValue('c'))).revision, 5001);
    assert.deepEqual(
      (await again.range({ prefix: '/' })).objects.map(({ key, revision }) => [key, revision]),
      [
        ['/b', 4],
        ['/c', 5001],
      ],
    );
  });

  it('makes files that only their owner can read', async () => {
    const storage = await openStore();
    await storage.create('/a', makeValue('a'));
    for (const file of [path, `${path}-wal`]) assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('makes files of large pages that can give room back', async () => {
    await openStore();
    await opened.pop()?.[Symbol.asyncDispose]();
    const database = new Database(path);
    assert.equal(database.pragma('page_size', { simple: true }), 8192);
    assert.equal(database.pragma('auto_vacuum', { simple: true }), 2);
    database.close();
  });

  it('says that the directory is missing', async () => {
    const text = await messageOf(openStore({ path: join(directory, 'none', 'store.db') }));
    assert.match(text, /^unavailable: cannot create ".*store\.db": its directory does not exist$/);
  });

  it('fails at once when this process has the store open already', async () => {
    await openStore();
    assert.match(await messageOf(openStore()), /^locked: database ".*" is in use by another process$/);
  });

  it('fails at once when another process has the store open, and opens it as soon as that is killed', async () => {
    const child = spawn(process.execPath, [lockHolder, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    assert.match(await messageOf(openStore()), /^locked: /);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await openStore();
  });

  it('refuses the other dialect', async () => {
    await openStore();
    const text = await messageOf(reopen({ dialect: 'kubernetes' }));
    assert.match(
      text,
      /^wrong-dialect: .*was made with dialect "orch": it cannot be opened with "kubernetes"$/,
    );
  });

  it('refuses files that are something else', async () => {
    await writeFile(path, 'this is no database, and longer than a header of one hundred bytes '.repeat(20));
    assert.match(await messageOf(openStore()), /^corrupt: /);
    const foreign = new Database(join(directory, 'foreign.db'));
    foreign.exec('CREATE TABLE things (x)');
    foreign.close();
    assert.match(
      await messageOf(openStore({ path: join(directory, 'foreign.db') })),
      /^corrupt: .*not a database of/,
    );
  });

  it('refuses a schema of another version', async () => {
    await openStore();
    await opened.pop()?.[Symbol.asyncDispose]();
    const database = new Database(path);
    database.pragma('user_version = 99');
    database.close();
    assert.match(
      await messageOf(openStore()),
      /^unavailable: .*schema version 99: this program reads versions 1 to 2$/,
    );
  });

  it('opens files of schema version 1, with all that is in them', async () => {
    const database = new Database(path);
    database.pragma('journal_mode = WAL');
    database.exec(`
      CREATE TABLE log (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, is_delete INTEGER NOT NULL,
        previous_revision INTEGER, value BLOB) STRICT;
      CREATE TABLE objects (key TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
      INSERT INTO meta VALUES ('dialect', 'orch'), ('clean', 1);
      INSERT INTO objects VALUES ('/a', 3);
      PRAGMA application_id = ${0x6f726368};
      PRAGMA user_version = 1;
    `);
    const insert = database.prepare('INSERT INTO log VALUES (?, ?, 0, ?, ?)');
    insert.run(2, '/a', null, makeValue('a', 1));
    insert.run(3, '/a', 2, makeValue('a', 2));
    database.close();
    const clock = new ManualClock();
    const storage = await openStore({ clock });
    assert.equal((await storage.get('/a'))?.revision, 3);
    const deleted = new WatchRecorder(storage, { prefix: '/', afterRevision: 2 });
    await storage.create('/b', makeValue('b'), { ttlSeconds: 10 });
    clock.advance(10_000);
    await deleted.reaches(5);
    assert.deepEqual(deleted.lines, ['put /a@3', 'put /b@4', 'delete /b@5']);
    const again = await reopen();
    assert.equal((await again.stats()).objectCount, 1);
    await opened.pop()?.[Symbol.asyncDispose]();
    const upgraded = new Database(path);
    assert.equal(upgraded.pragma('user_version', { simple: true }), 2);
    upgraded.close();
  });

  it('removes many keys that end together in rounds, and what was updated in time stays', async () => {
    const clock = new ManualClock();
    const storage = await openStore({ clock });
    const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
    const made = await Promise.all(
      Array.from({ length: 450 }, (_, i) => storage.create(`/${i}`, makeValue('x'), { ttlSeconds: 60 })),
    );
    await storage.update('/7', written(made[7] ?? assert.fail()).revision, makeValue('x'));
    clock.advance(59_999);
    await storage.ping();
    assert.equal((await storage.stats()).objectCount, 450);
    clock.advance(1);
    while ((await storage.stats()).objectCount > 1) clock.advance(1);
    await watch.reaches(900);
    assert.lengthOf(
      watch.events.filter(({ kind }) => kind === 'delete'),
      449,
    );
    assert.isDefined(await storage.get('/7'));
    await opened.pop()?.[Symbol.asyncDispose]();
    assert.equal(clock.timerCount, 0);
  });

  it('gives room back in small steps when most of the file is free', async function () {
    this.timeout(60_000);
    const storage = await openStore();
    const content = 'x'.repeat(100_000);
    const made = await Promise.all(
      Array.from({ length: 300 }, (_, i) => storage.create(`/${i}`, makeValue('x', content))),
    );
    const { sizeBytes } = await storage.stats();
    await Promise.all(made.map((result, i) => storage.delete(`/${i}`, written(result).revision)));
    await storage.compact(await storage.currentRevision());
    while ((await storage.stats()).sizeBytes > sizeBytes / 2) await storage.ping();
    assert.equal((await storage.create('/new', makeValue('x'))).kind, 'ok');
  });

  it('finds damage after an unclean stop', async () => {
    await fill(await openStore(), 300);
    await opened.pop()?.[Symbol.asyncDispose]();
    const database = new Database(path);
    database.exec("UPDATE meta SET value = 0 WHERE name = 'clean'");
    database.close();
    const file = await open(path, 'r+');
    const middle = Math.floor((await file.stat()).size / 8192 / 2) * 8192;
    await file.write(Buffer.alloc(64, 0xff), 0, 64, middle);
    await file.close();
    assert.match(
      await messageOf(openStore()),
      /^corrupt: database ".*store\.db" is damaged: .*"orch storage check".*"orch restore FILE"$/s,
    );
    // Too large to wait for: the objects are looked at while the store serves.
    const logger = createRecordingLogger();
    const storage = await openStore({ maxCheckedBytes: 0, logger });
    assert.match(logger.lines[0]?.message ?? '', /its objects are checked while it serves$/);
    while (logger.lines.length < 2) await storage.ping();
    assert.equal(logger.lines[1]?.level, 'error');
  });

  it('rejects writes that no longer fit and takes writes again when there is space', async () => {
    const storage = await openStore({ maxSizeBytes: 400 * 1024 });
    const content = 'x'.repeat(2000);
    const results = await Promise.allSettled(
      Array.from({ length: 1500 }, (_, i) => storage.create(`/${i}`, makeValue('x', content))),
    );
    const failed = results.filter((result) => result.status === 'rejected');
    assert.isNotEmpty(failed);
    for (const { reason } of failed) assert.equal(reason.code, 'disk-full');
    assert.equal(await storage.currentRevision(), 1 + results.length - failed.length);
    let added = 0;
    // One at a time, as there may be room for some where there is none for all.
    while ((await messageOf(storage.create(`/more/${added}`, makeValue('x', content)))) === 'no error')
      added++;
    assert.match(await messageOf(storage.ping()), /^unavailable: storage takes no writes: no space is left/);
    const larger = await reopen({ maxSizeBytes: 40 * 1024 * 1024 });
    assert.equal(await larger.currentRevision(), 1 + results.length - failed.length + added);
    assert.equal((await larger.create('/again', makeValue('x', content))).kind, 'ok');
  });

  it('goes on after a full disk once history is compacted', async () => {
    const storage = await openStore({ maxSizeBytes: 400 * 1024 });
    let revision = written(await storage.create('/a', makeValue('a', 'x'.repeat(3000)))).revision;
    let failure: unknown;
    while (failure === undefined) {
      try {
        revision = written(await storage.update('/a', revision, makeValue('a', 'x'.repeat(3000)))).revision;
      } catch (error) {
        failure = error;
      }
    }
    assert.instanceOf(failure, StorageError);
    assert.equal((failure as StorageError).code, 'disk-full');
    await storage.compact(revision);
    assert.equal((await storage.update('/a', revision, makeValue('a', 'y'.repeat(3000)))).kind, 'ok');
  });

  it('does not grow when the same objects are written again and again', async () => {
    const storage = await openStore();
    const content = 'x'.repeat(2000);
    const revisions = new Map<number, number>();
    const writeAll = (): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 100 }, async (_, i) => {
          const known = revisions.get(i);
          const value = makeValue('x', content);
          const result =
            known === undefined ? storage.create(`/${i}`, value) : storage.update(`/${i}`, known, value);
          revisions.set(i, written(await result).revision);
        }),
      );
    await writeAll();
    await writeAll();
    await storage.compact(await storage.currentRevision());
    await writeAll();
    const { sizeBytes } = await storage.stats();
    for (let round = 0; round < 20; round++) {
      await storage.compact(await storage.currentRevision());
      await writeAll();
    }
    assert.isAtMost((await storage.stats()).sizeBytes, sizeBytes * 1.2);
    assert.equal((await storage.stats()).objectCount, 100);
  });

  it('finishes a compaction that a stop has interrupted', async () => {
    await fill(await openStore(), 600);
    const storage = await reopen();
    for (let i = 0; i < 600; i++) void storage.delete(`/${i}`, (await storage.get(`/${i}`))?.revision ?? 0);
    const revision = 1201;
    while ((await storage.currentRevision()) < revision) await storage.ping();
    const compaction = messageOf(storage.compact(revision));
    const again = await reopen();
    assert.include(['no error', 'closed: storage is closed'], await compaction);
    await again.compact(revision);
    await opened.pop()?.[Symbol.asyncDispose]();
    const database = new Database(path);
    assert.equal(database.prepare('SELECT count(*) FROM log').pluck().get(), 0);
    database.close();
  });

  it('forgets history by age', async () => {
    const clock = new ManualClock();
    const storage = await openStore({ clock, historyMs: 1000 });
    await fill(storage, 10);
    clock.advance(500);
    await storage.create('/later', makeValue('x'));
    clock.advance(900);
    assert.equal((await storage.stats()).compactedRevision, 11);
    clock.advance(5000);
    assert.equal((await storage.stats()).compactedRevision, 12);
    await opened.pop()?.[Symbol.asyncDispose]();
    assert.equal(clock.timerCount, 0);
  });

  it('bounds the write-ahead log', async () => {
    const storage = await openStore();
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        Array.from({ length: 64 }, (_, i) =>
          storage.create(`/${round}/${i}`, makeValue('x', 'x'.repeat(100_000))),
        ),
      );
    }
    assert.isBelow((await stat(`${path}-wal`)).size, 16 * 1024 * 1024);
  });

  it('reads a large range and a large history in parts, at one revision, while it is written to', async () => {
    const storage = await openStore();
    await fill(storage, 2500);
    const range = storage.range({ prefix: '/' });
    const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
    const writes = Promise.all(Array.from({ length: 200 }, (_, i) => storage.delete(`/${i}`, i + 2)));
    const { objects, revision, hasMore } = await range;
    await writes;
    await watch.reaches(2701);
    assert.equal(objects.length, 2500 - (revision - 2501));
    assert.isFalse(hasMore);
    assert.deepEqual(
      watch.events.map((event) => event.revision),
      Array.from({ length: 2700 }, (_, i) => i + 2),
    );
    assert.lengthOf((await storage.range({ prefix: '/', revision: 2501, limit: 2400 })).objects, 2400);
  });

  it('refuses a path that is a directory', async () => {
    assert.match(await messageOf(openStore({ path: directory })), /^unavailable: /);
  });
});
