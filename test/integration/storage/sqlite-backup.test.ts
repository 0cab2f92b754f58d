import { chmod, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { StorageError } from '../../../src/storage/index.ts';
import {
  checkDatabase,
  openSqliteStorage,
  restoreDatabase,
  type SqliteStorage,
  vacuumDatabase,
} from '../../../src/storage/sqlite/index.ts';
import { rejectsWith, written } from '../../conformance/storage/expect.ts';
import { makeValue, readValue } from '../../conformance/storage/values.ts';

let directory: string;
let path: string;
let backupPath: string;
const opened: SqliteStorage[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storage-backup-'));
  path = join(directory, 'store.db');
  backupPath = join(directory, 'copy.db');
});
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function openStore(file = path): Promise<SqliteStorage> {
  const storage = await openSqliteStorage({ path: file, dialect: 'orch' });
  opened.push(storage);
  return storage;
}

async function close(): Promise<void> {
  await opened.pop()?.[Symbol.asyncDispose]();
}

async function fill(storage: SqliteStorage, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) => storage.create(`/k/${i}`, makeValue('x', 'x'.repeat(1000)))),
  );
}

function change(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

describe('SqliteStorage.backupTo', () => {
  it('copies one state, whole, while writes go on', async () => {
    const storage = await openStore();
    await fill(storage, 3000);
    // Every round raises two counters together: a copy between the two writes of a round would be of no round.
    let first = written(await storage.create('/a', makeValue('a', 0))).revision;
    let second = written(await storage.create('/b', makeValue('b', 0))).revision;
    const writing = new AbortController();
    const writes = (async () => {
      for (let round = 1; !writing.signal.aborted; round++) {
        first = written(await storage.update('/a', first, makeValue('a', round))).revision;
        second = written(await storage.update('/b', second, makeValue('b', round))).revision;
      }
    })();
    const { revision, objectCount } = await storage.backupTo(backupPath);
    writing.abort();
    await writes;
    expect(objectCount).to.equal(3002);
    expect(revision).to.be.above(3003);
    expect((await stat(backupPath)).mode & 0o777).to.equal(0o600);
    expect(await readdir(directory)).to.have.members(['store.db', 'store.db-wal', 'copy.db']);
    const copy = await openStore(backupPath);
    expect(await copy.currentRevision()).to.equal(revision);
    const then = await storage.range({ prefix: '/', revision });
    const { objects } = await copy.range({ prefix: '/' });
    expect(objects.map(({ key, bytes }) => [key, bytes.toString()])).to.deep.equal(
      then.objects.map(({ key, bytes }) => [key, bytes.toString()]),
    );
  });

  it('makes a file that was stopped cleanly', async () => {
    const storage = await openStore();
    await fill(storage, 5);
    await storage.backupTo(backupPath);
    const database = new Database(backupPath, { readonly: true });
    expect(database.prepare("SELECT value FROM meta WHERE name = 'clean'").pluck().get()).to.equal(1);
    expect(database.pragma('journal_mode', { simple: true })).to.equal('delete');
    database.close();
  });

  it('replaces an earlier backup, and serves callers one after the other', async () => {
    const storage = await openStore();
    await writeFile(backupPath, 'something else');
    await fill(storage, 5);
    const results = await Promise.all([storage.backupTo(backupPath), storage.backupTo(backupPath)]);
    expect(results.map(({ objectCount }) => objectCount)).to.deep.equal([5, 5]);
    expect((await checkDatabase(backupPath)).findings).to.deep.equal([]);
  });

  it('leaves nothing when it is given up', async () => {
    const storage = await openStore();
    await fill(storage, 3000);
    const controller = new AbortController();
    const backup = storage.backupTo(backupPath, { signal: controller.signal });
    controller.abort(new Error('enough'));
    expect(await backup.catch((error: unknown) => String(error))).to.equal('Error: enough');
    expect(await readdir(directory)).to.have.members(['store.db', 'store.db-wal']);
    expect((await storage.backupTo(backupPath)).objectCount).to.equal(3000);
  });

  it('refuses a directory that does not exist, and the store itself', async () => {
    const storage = await openStore();
    await rejectsWith('unavailable', () => storage.backupTo(join(directory, 'none', 'copy.db')));
    const error = await storage.backupTo(path).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
    await storage.ping();
  });

  it('refuses to call damaged pages a backup', async () => {
    await fill(await openStore(), 10);
    await close();
    change(path, 'DELETE FROM log WHERE revision = 5');
    const storage = await openStore();
    const error = await storage.backupTo(backupPath).catch((reason: unknown) => reason);
    expect(String(error)).to.match(/damaged: key has no value: \/k\/3/);
    expect(await readdir(directory)).to.not.include('copy.db');
  });
});

describe('SqliteStorage.verify', () => {
  for (const mode of ['quick', 'full'] as const) {
    it(`finds nothing in a sound store, and objects without value (${mode})`, async () => {
      const storage = await openStore();
      await fill(storage, 1000);
      expect(await storage.verify(mode)).to.deep.equal([]);
      await close();
      change(path, "DELETE FROM log WHERE revision = 700; UPDATE log SET value = x'7b7d' WHERE revision = 3");
      const damaged = await openStore();
      const findings = await damaged.verify(mode);
      expect(findings).to.have.lengthOf(2);
      expect(findings.join()).to.include('/k/698');
      expect(findings.join()).to.include('/k/1');
      expect(await readdir(directory)).to.have.members(['store.db', 'store.db-wal']);
    });
  }
});

describe('checkDatabase', () => {
  it('describes a sound file', async () => {
    const storage = await openStore();
    await fill(storage, 10);
    await storage.compact(4);
    await close();
    const { sizeBytes, ...report } = await checkDatabase(path);
    expect(sizeBytes).to.be.above(10_000);
    expect(report).to.deep.equal({
      findings: [],
      dialect: 'orch',
      schemaVersion: 2,
      revision: 11,
      compactedRevision: 4,
      objectCount: 10,
    });
  });

  const damages: readonly (readonly [sql: string, finding: RegExp])[] = [
    ['DELETE FROM log WHERE revision = 4', /^key has no value: \/k\/2$/],
    ["UPDATE log SET key = 'x' WHERE revision = 4", /^key has no value: \/k\/2$/],
    [
      "UPDATE log SET value = x'7b7d' WHERE revision = 4",
      /^value has no resourceVersion: \/k\/2 at revision 4$/,
    ],
    [
      "DELETE FROM objects WHERE key = '/k/2'",
      /^value belongs to no key and to no change: \/k\/2 at revision 4$/,
    ],
    ['UPDATE log SET previous_revision = 9 WHERE revision = 4', /^replaced revision is not earlier/],
    ['UPDATE log SET previous_revision = 1 WHERE revision = 4', /^replaced value is missing from history/],
  ];
  for (const [sql, finding] of damages) {
    it(`finds what this leaves: ${sql}`, async () => {
      await fill(await openStore(), 10);
      await close();
      change(path, sql);
      expect((await checkDatabase(path)).findings.some((text) => finding.test(text))).to.equal(true);
    });
  }

  it('finds damaged pages', async () => {
    await fill(await openStore(), 1000);
    await close();
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(4000, 0xff), 0, 4000, 8192 * 40);
    await file.close();
    const outcome = await checkDatabase(path).then(
      ({ findings }) => findings.length > 0,
      (error: unknown) => error instanceof StorageError && error.code === 'corrupt',
    );
    expect(outcome).to.equal(true);
  });

  it('refuses a file that a store holds, one that is missing and one that is something else', async () => {
    await openStore();
    await rejectsWith('locked', () => checkDatabase(path));
    await rejectsWith('unavailable', () => checkDatabase(backupPath));
    await writeFile(backupPath, 'this is no database at all '.repeat(100));
    await rejectsWith('corrupt', () => checkDatabase(backupPath));
  });
});

describe('restoreDatabase', () => {
  const restored = (): string => join(directory, 'restored.db');

  it('makes a store whose revisions go on far beyond those of the backup', async () => {
    const storage = await openStore();
    await fill(storage, 20);
    await storage.backupTo(backupPath);
    const result = await restoreDatabase({ from: backupPath, to: restored(), dialect: 'orch' });
    expect(result).to.deep.equal({ revision: 2_000_000, backupRevision: 21, objectCount: 20 });
    expect((await stat(restored())).mode & 0o777).to.equal(0o600);
    expect(await readdir(directory)).to.have.members(['store.db', 'store.db-wal', 'copy.db', 'restored.db']);
    const again = await openStore(restored());
    expect(await again.currentRevision()).to.equal(2_000_000);
    expect((await again.get('/k/3'))?.revision).to.equal(5);
    await rejectsWith('compacted', () => again.range({ prefix: '/', revision: 500_000 }));
    expect(written(await again.create('/new', makeValue('x'))).revision).to.equal(2_000_001);
    expect(await again.verify('full')).to.deep.equal([]);
  });

  it('replaces what is there only when told to, with the log beside it', async () => {
    const storage = await openStore();
    await fill(storage, 20);
    await storage.backupTo(backupPath);
    await storage.create('/later', makeValue('x'));
    await rejectsWith('unavailable', () => restoreDatabase({ from: backupPath, to: path }));
    await rejectsWith('locked', () => restoreDatabase({ from: backupPath, to: path, overwrite: true }));
    await close();
    await writeFile(`${path}-wal`, 'stale');
    await restoreDatabase({ from: backupPath, to: path, overwrite: true });
    const again = await openStore();
    expect(await again.get('/later')).to.equal(undefined);
    expect((await again.stats()).objectCount).to.equal(20);
  });

  it('replaces a file that is damaged', async () => {
    const storage = await openStore();
    await fill(storage, 20);
    await storage.backupTo(backupPath);
    await close();
    await writeFile(path, 'rubbish '.repeat(1000));
    await restoreDatabase({ from: backupPath, to: path, overwrite: true });
    expect((await (await openStore()).stats()).objectCount).to.equal(20);
  });

  it('leaves what is there when the backup is no good', async () => {
    const storage = await openStore();
    await fill(storage, 20);
    await storage.backupTo(backupPath);
    await close();
    const before = await readFile(path);
    const to = path;
    await rejectsWith('wrong-dialect', () =>
      restoreDatabase({ from: backupPath, to, dialect: 'kubernetes', overwrite: true }),
    );
    change(backupPath, 'DELETE FROM log WHERE revision = 5');
    await rejectsWith('corrupt', () => restoreDatabase({ from: backupPath, to, overwrite: true }));
    await writeFile(backupPath, 'rubbish '.repeat(1000));
    await rejectsWith('corrupt', () => restoreDatabase({ from: backupPath, to, overwrite: true }));
    await rm(backupPath);
    await rejectsWith('unavailable', () => restoreDatabase({ from: backupPath, to, overwrite: true }));
    expect(before.equals(await readFile(path))).to.equal(true);
    expect(await readdir(directory)).to.deep.equal(['store.db']);
  });

  it('reads a backup without write permission', async () => {
    const storage = await openStore();
    await fill(storage, 3);
    await storage.backupTo(backupPath);
    await chmod(backupPath, 0o400);
    expect((await restoreDatabase({ from: backupPath, to: restored() })).objectCount).to.equal(3);
  });
});

describe('vacuumDatabase', () => {
  it('makes the file of a store that has lost most of its objects small', async () => {
    const storage = await openStore();
    await fill(storage, 2000);
    for (let i = 0; i < 1990; i += 100) {
      await Promise.all(
        Array.from({ length: 100 }, async (_, j) => {
          const revision = (await storage.get(`/k/${i + j}`))?.revision ?? 0;
          if (i + j < 1990) await storage.delete(`/k/${i + j}`, revision);
        }),
      );
    }
    await storage.compact(await storage.currentRevision());
    await rejectsWith('locked', () => vacuumDatabase(path));
    await close();
    const { afterBytes } = await vacuumDatabase(path);
    expect(afterBytes).to.be.below(200_000);
    expect((await stat(path)).size).to.equal(afterBytes);
    const again = await openStore();
    expect((await again.stats()).objectCount).to.equal(10);
    expect(readValue((await again.get('/k/1995'))?.bytes ?? Buffer.alloc(0)).content).to.deep.equal(
      'x'.repeat(1000),
    );
    expect(await again.verify('full')).to.deep.equal([]);
  });
});
