import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect } from 'chai';
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
    expect(await again.currentRevision()).to.equal(5);
    expect(readValue((await again.get('/a'))?.bytes ?? Buffer.alloc(0))).to.deep.equal({
      resourceVersion: '3',
      content: 2,
    });
    const watch = new WatchRecorder(again, { prefix: '/', afterRevision: 2 });
    await watch.reaches(5);
    expect(watch.lines).to.deep.equal(['put /a@3', 'put /b@4', 'delete /b@5']);
    expect((await again.range({ prefix: '/', revision: 4 })).objects.length).to.deep.equal(2);
    expect(written(await again.create('/b', makeValue('b'))).revision).to.equal(6);
  });

  it('keeps compaction and the counter over a restart when no row is left', async () => {
    const storage = await openStore();
    await storage.create('/a', makeValue('a'));
    await storage.delete('/a', 2);
    await storage.compact(3);
    const again = await reopen();
    expect(await again.currentRevision()).to.deep.equal(3);
    expect((await again.stats()).compactedRevision).to.equal(3);
    await rejectsWith('compacted', () => again.range({ prefix: '/', revision: 2 }));
  });

  it('keeps a raised revision counter over a restart', async () => {
    const storage = await openStore();
    await storage.create('/a', makeValue('a'));
    await storage.delete('/a', 2);
    await storage.create('/b', makeValue('b'));
    await storage.advanceRevision(5000);
    await storage.advanceRevision(10);
    expect(await storage.currentRevision()).to.equal(5000);
    await rejectsWith('compacted', () => storage.range({ prefix: '/', revision: 4 }));
    const again = await reopen();
    expect(await again.currentRevision()).to.equal(5000);
    expect(written(await again.create('/c', makeValue('c'))).revision).to.equal(5001);
    expect(
      (await again.range({ prefix: '/' })).objects.map(({ key, revision }) => [key, revision]),
    ).to.deep.equal([
      ['/b', 4],
      ['/c', 5001],
    ]);
  });

  it('makes files that only their owner can read', async () => {
    const storage = await openStore();
    await storage.create('/a', makeValue('a'));
    for (const file of [path, `${path}-wal`]) expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('makes files of large pages that can give room back', async () => {
    await openStore();
    await opened.pop()?.[Symbol.asyncDispose]();
    const database = new Database(path);
    expect(database.pragma('page_size', { simple: true })).to.equal(8192);
    expect(database.pragma('auto_vacuum', { simple: true })).to.equal(2);
    database.close();
  });

  it('says that the directory is missing', async () => {
    const text = await messageOf(openStore({ path: join(directory, 'none', 'store.db') }));
    expect(text).to.match(/^unavailable: cannot create ".*store\.db": its directory does not exist$/);
  });

  it('fails at once when this process has the store open already', async () => {
    await openStore();
    expect(await messageOf(openStore())).to.match(/^locked: database ".*" is in use by another process$/);
  });

  it('fails at once when another process has the store open, and opens it as soon as that is killed', async () => {
    const child = spawn(process.execPath, [lockHolder, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    expect(await messageOf(openStore())).to.match(/^locked: /);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await openStore();
  });

  it('refuses the other dialect', async () => {
    await openStore();
    const text = await messageOf(reopen({ dialect: 'kubernetes' }));
    expect(text).to.match(
      /^wrong-dialect: .*was made with dialect "orch": it cannot be opened with "kubernetes"$/,
    );
  });

  it('refuses files that are something else', async () => {
    await writeFile(path, 'this is no database, and longer than a header of one hundred bytes '.repeat(20));
    expect(await messageOf(openStore())).to.match(/^corrupt: /);
    const foreign = new Database(join(directory, 'foreign.db'));
    foreign.exec('CREATE TABLE things (x)');
    foreign.close();
    expect(await messageOf(openStore({ path: join(directory, 'foreign.db') }))).to.match(
      /^corrupt: .*not a database of/,
    );
  });

  it('refuses a schema of another version', async () => {
    await openStore();
    await opened.pop()?.[Symbol.asyncDispose]();
    const database = new Database(path);
    database.pragma('user_version = 99');
    database.close();
    expect(await messageOf(openStore())).to.match(
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
    expect((await storage.get('/a'))?.revision).to.equal(3);
    const deleted = new WatchRecorder(storage, { prefix: '/', afterRevision: 2 });
    await storage.create('/b', makeValue('b'), { ttlSeconds: 10 });
    clock.advance(10_000);
    await deleted.reaches(5);
    expect(deleted.lines).to.deep.equal(['put /a@3', 'put /b@4', 'delete /b@5']);
    const again = await reopen();
    expect((await again.stats()).objectCount).to.equal(1);
    await opened.pop()?.[Symbol.asyncDispose]();
    const upgraded = new Database(path);
    expect(upgraded.pragma('user_version', { simple: true })).to.equal(2);
    upgraded.close();
  });

  it('removes many keys that end together in rounds, and what was updated in time stays', async () => {
    const clock = new ManualClock();
    const storage = await openStore({ clock });
    const watch = new WatchRecorder(storage, { prefix: '/', afterRevision: 1 });
    const made = await Promise.all(
      Array.from({ length: 450 }, (_, i) => storage.create(`/${i}`, makeValue('x'), { ttlSeconds: 60 })),
    );
    await storage.update('/7', written(made[7] ?? expect.fail()).revision, makeValue('x'));
    clock.advance(59_999);
    await storage.ping();
    expect((await storage.stats()).objectCount).to.equal(450);
    clock.advance(1);
    while ((await storage.stats()).objectCount > 1) clock.advance(1);
    await watch.reaches(900);
    expect(watch.events.filter(({ kind }) => kind === 'delete')).to.have.lengthOf(449);
    expect(await storage.get('/7')).to.not.equal(undefined);
    await opened.pop()?.[Symbol.asyncDispose]();
    expect(clock.timerCount).to.equal(0);
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
    expect((await storage.create('/new', makeValue('x'))).kind).to.equal('ok');
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
    expect(await messageOf(openStore())).to.match(
      /^corrupt: database ".*store\.db" is damaged: .*"orch storage check".*"orch restore FILE"$/s,
    );
    // Too large to wait for: the objects are looked at while the store serves.
    const logger = createRecordingLogger();
    const storage = await openStore({ maxCheckedBytes: 0, logger });
    expect(logger.lines[0]?.message ?? '').to.match(/^database integrity check continues in the background$/);
    while (logger.lines.length < 2) await storage.ping();
    expect(logger.lines[1]?.level).to.equal('error');
  });

  it('rejects writes that no longer fit and takes writes again when there is space', async () => {
    const storage = await openStore({ maxSizeBytes: 400 * 1024 });
    const content = 'x'.repeat(2000);
    const results = await Promise.allSettled(
      Array.from({ length: 1500 }, (_, i) => storage.create(`/${i}`, makeValue('x', content))),
    );
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed).to.not.be.empty;
    for (const { reason } of failed) expect(reason.code).to.equal('disk-full');
    expect(await storage.currentRevision()).to.equal(1 + results.length - failed.length);
    let added = 0;
    // One at a time, as there may be room for some where there is none for all.
    while ((await messageOf(storage.create(`/more/${added}`, makeValue('x', content)))) === 'no error')
      added++;
    expect(await messageOf(storage.ping())).to.match(
      /^unavailable: storage takes no writes: no space is left/,
    );
    const larger = await reopen({ maxSizeBytes: 40 * 1024 * 1024 });
    expect(await larger.currentRevision()).to.equal(1 + results.length - failed.length + added);
    expect((await larger.create('/again', makeValue('x', content))).kind).to.equal('ok');
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
    expect(failure).to.be.instanceOf(StorageError);
    expect((failure as StorageError).code).to.equal('disk-full');
    await storage.compact(revision);
    expect((await storage.update('/a', revision, makeValue('a', 'y'.repeat(3000)))).kind).to.equal('ok');
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
    expect((await storage.stats()).sizeBytes).to.be.at.most(sizeBytes * 1.2);
    expect((await storage.stats()).objectCount).to.equal(100);
  });

  it('finishes a compaction that a stop has interrupted', async () => {
    await fill(await openStore(), 600);
    const storage = await reopen();
    for (let i = 0; i < 600; i++) void storage.delete(`/${i}`, (await storage.get(`/${i}`))?.revision ?? 0);
    const revision = 1201;
    while ((await storage.currentRevision()) < revision) await storage.ping();
    const compaction = messageOf(storage.compact(revision));
    const again = await reopen();
    expect(['no error', 'closed: storage is closed']).to.include(await compaction);
    await again.compact(revision);
    await opened.pop()?.[Symbol.asyncDispose]();
    const database = new Database(path);
    expect(database.prepare('SELECT count(*) FROM log').pluck().get()).to.equal(0);
    database.close();
  });

  it('forgets history by age', async () => {
    const clock = new ManualClock();
    const storage = await openStore({ clock, historyMs: 1000 });
    await fill(storage, 10);
    clock.advance(500);
    await storage.create('/later', makeValue('x'));
    clock.advance(900);
    expect((await storage.stats()).compactedRevision).to.equal(11);
    clock.advance(5000);
    expect((await storage.stats()).compactedRevision).to.equal(12);
    await opened.pop()?.[Symbol.asyncDispose]();
    expect(clock.timerCount).to.equal(0);
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
    expect((await stat(`${path}-wal`)).size).to.be.below(16 * 1024 * 1024);
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
    expect(objects.length).to.equal(2500 - (revision - 2501));
    expect(hasMore).to.equal(false);
    expect(watch.events.map((event) => event.revision)).to.deep.equal(
      Array.from({ length: 2700 }, (_, i) => i + 2),
    );
    expect((await storage.range({ prefix: '/', revision: 2501, limit: 2400 })).objects).to.have.lengthOf(
      2400,
    );
  });

  it('refuses a path that is a directory', async () => {
    expect(await messageOf(openStore({ path: directory }))).to.match(/^unavailable: /);
  });
});
