import { open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { runBackup } from '../../../src/app/run-backup.ts';
import { runRestore } from '../../../src/app/run-restore.ts';
import { runStorageCheck, runStorageCompact, runStorageStats } from '../../../src/app/run-storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { commandsAt, saveAccess } from './support.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, data: Record<string, string> = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  data,
});

async function namesOf(server: TestServer): Promise<Set<string>> {
  const { body } = await server.admin.get(maps);
  return new Set(body.items.map((item: { metadata: { name: string } }) => item.metadata.name));
}

describe('backup and restore', function () {
  this.timeout(60_000);
  let folder: TemporaryDirectory;
  let data: string;
  let run: ReturnType<typeof commandsAt>;
  let server: TestServer | undefined;
  const at = (name: string): string => join(folder.path, name);
  const start = async (...flags: readonly string[]): Promise<TestServer> => {
    server = await startTestServer({ flags });
    await saveAccess(server, at('access'));
    return server;
  };
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = undefined;
  };
  const asked = (): string => `--orchconfig=${at('access')}`;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    data = at('data');
    run = commandsAt(folder.path);
  });
  afterEach(async () => {
    await stop();
    await folder.remove();
  });

  it('keeps every write that was acknowledged before the backup, under load; older watches are told to list anew', async () => {
    const first = await start(`--data-dir=${data}`);
    const acknowledged = new Set<string>();
    let isWriting = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; isWriting; index++) {
        const name = `w${writer}-${index}`;
        await first.admin.create(maps, map(name, { text: 'x'.repeat(2000) }));
        acknowledged.add(name);
      }
    });
    while (acknowledged.size < 100) await new Promise((resolve) => setImmediate(resolve));
    const before = new Set(acknowledged);
    const made = await run(runBackup, [at('b.db'), asked()]);
    isWriting = false;
    await Promise.all(writers);
    expect(made.failure).to.equal('');
    expect(made).to.deep.include({ code: 0, err: '' });
    expect(made.out).to.match(/b\.db: .* KiB|MiB, \d+ objects, revision \d+, of https:/);
    expect((await stat(at('b.db'))).mode & 0o777).to.equal(0o600);
    const { body } = await first.admin.get(maps);
    const lastVersion = body.metadata.resourceVersion as string;
    await stop();
    expect((await readdir(data)).filter((name) => name.startsWith('.backup'))).to.deep.equal([]);

    const restored = await run(runRestore, [at('b.db'), `--data-dir=${data}`, '--force', '-o', 'json']);
    expect(restored.failure).to.equal('');
    const { kept, revision } = JSON.parse(restored.out);
    expect(kept).to.equal(join(data, 'orch.db.before-restore-1'));
    expect(revision).to.be.greaterThan(Number(lastVersion));

    const second = await start(`--data-dir=${data}`);
    const found = await namesOf(second);
    expect([...before].filter((name) => !found.has(name))).to.deep.equal([]);
    expect([...found].filter((name) => !acknowledged.has(name))).to.deep.equal([]);
    const watch = await second.admin.watch(maps, { resourceVersion: lastVersion });
    await watch.ended;
    expect(watch.events.map(({ type, object }) => [type, object.code])).to.deep.equal([['ERROR', 410]]);
    await second.admin.create(maps, map('later'));
    await stop();

    // What was replaced is whole.
    const old = await run(runStorageStats, [`--storage=sqlite:${kept}`, '-o', 'json']);
    expect(JSON.parse(old.out).objectCount).to.be.at.least(acknowledged.size);
  });

  it('backs up a server in memory as a database that another one starts on', async () => {
    const first = await start();
    await first.admin.create(maps, map('a', { k: '"resourceVersion":"9"' }));
    await first.admin.create('/api/v1/namespaces/default/events', {
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default' },
    });
    expect((await run(runBackup, [at('m.db'), asked()])).failure).to.equal('');
    await stop();
    expect((await run(runRestore, [at('m.db'), `--data-dir=${data}`])).failure).to.equal('');
    const second = await start(`--data-dir=${data}`);
    expect((await second.admin.get(`${maps}/a`)).body.data).to.deep.equal({ k: '"resourceVersion":"9"' });
    expect((await second.admin.get('/api/v1/namespaces/default/events/e')).code).to.equal(200);
  });

  it('reads a stopped server directly, and says so when it runs after all', async () => {
    await start(`--data-dir=${data}`);
    const locked = await run(runBackup, [at('c.db'), `--data-dir=${data}`]);
    expect(locked.failure).to.match(
      /in use by another process: stop the server that runs on it, or ask it with --orchconfig/,
    );
    const refused = await run(runRestore, [at('c.db'), `--data-dir=${data}`, '--force']);
    expect(refused.failure).to.match(/c\.db/);
    await stop();
    const made = await run(runBackup, [at('c.db'), `--data-dir=${data}`, '-o', 'json']);
    expect(made.failure).to.equal('');
    expect(JSON.parse(made.out)).to.include({
      file: at('c.db'),
      source: `sqlite:${data}/orch.db`,
      dialect: 'orch',
    });
    expect((await run(runBackup, [at('c.db'), `--data-dir=${data}`])).failure).to.match(/exists.*--force/);
    expect((await run(runBackup, [at('c.db'), `--data-dir=${data}`, '--force'])).code).to.equal(0);
  });

  it('restores nothing over a running server, over data without --force, from a damaged file or from another dialect', async () => {
    await (await start(`--data-dir=${data}`)).admin.create(maps, map('kept'));
    await run(runBackup, [at('b.db'), asked()]);
    const running = await run(runRestore, [at('b.db'), `--data-dir=${data}`, '--force']);
    expect(running.failure).to.match(/in use by another process: stop the server first/);
    await stop();
    const notForced = await run(runRestore, [at('b.db'), `--data-dir=${data}`]);
    expect(notForced.failure).to.match(/exists: give --force/);
    await writeFile(at('text.db'), 'no database, but text that is long enough to look at'.repeat(100));
    const damaged = await run(runRestore, [at('text.db'), `--data-dir=${data}`, '--force']);
    expect(damaged.failure).to.match(/backup .*text\.db/);
    await (await openSqliteStorage({ path: at('k.db'), dialect: 'kubernetes' }))[Symbol.asyncDispose]();
    const foreign = await run(runRestore, [at('k.db'), `--data-dir=${data}`, '--force']);
    expect(foreign.failure).to.match(/dialect "kubernetes".*another --data-dir/);
    expect((await readdir(data)).filter((name) => name.includes('restore'))).to.deep.equal([]);
    expect(await namesOf(await start(`--data-dir=${data}`))).to.include('kept');
  });

  it('leaves no file when it is interrupted', async () => {
    await start(`--data-dir=${data}`);
    const signal = AbortSignal.abort(new Error('interrupted by SIGINT'));
    const { failure } = await run(runBackup, [at('i.db'), asked()], { signal });
    expect(failure).to.equal('interrupted by SIGINT');
    expect((await readdir(folder.path)).filter((name) => name.startsWith('i.db'))).to.deep.equal([]);
  });

  it('shows progress on a terminal only', async () => {
    await start();
    expect((await run(runBackup, [at('t.db'), asked()], { isTerminal: true })).err).to.match(/^\r.*\r$/s);
  });

  it('says what to do when there is nothing to back up', async () => {
    const { failure } = await run(runBackup, [at('n.db'), '--server=https://127.0.0.1:1']);
    expect(failure).to.match(/no answer from https:\/\/127\.0\.0\.1:1: .*give --data-dir or --storage/);
    expect((await run(runBackup, [at('n.db'), `--data-dir=${at('none')}`])).failure).to.match(
      /there is no database/,
    );
  });
});

describe('the maintenance paths of a server', function () {
  this.timeout(60_000);
  let folder: TemporaryDirectory;
  let server: TestServer;
  let run: ReturnType<typeof commandsAt>;
  const asked = (): string => `--orchconfig=${join(folder.path, 'access')}`;
  before(async () => {
    folder = await makeTemporaryDirectory();
    run = commandsAt(folder.path);
    server = await startTestServer({ flags: [`--data-dir=${join(folder.path, 'data')}`] });
    await saveAccess(server, join(folder.path, 'access'));
  });
  after(async () => {
    await server.stop();
    await folder.remove();
  });

  it('answer administrators only, with the right method only, and are in no list', async () => {
    for (const path of ['stats', 'check', 'compact', 'backup']) {
      const method = path === 'stats' || path === 'backup' ? 'GET' : 'POST';
      for (const stranger of [server.anonymous, server.withToken(tokens.alice)]) {
        expect((await stranger.send(method, `/-/storage/${path}`)).code, path).to.equal(403);
      }
      expect(
        (await server.admin.send(method === 'GET' ? 'POST' : 'GET', `/-/storage/${path}`)).code,
      ).to.equal(405);
    }
    const { body } = await server.admin.get('/');
    expect(body.paths.filter((path: string) => path.startsWith('/-'))).to.deep.equal([]);
    const authority = join(folder.path, 'ca.crt');
    await writeFile(authority, server.server.authorityPem);
    const stranger = [`--server=${server.server.url}`, `--certificate-authority=${authority}`];
    const { failure } = await run(runStorageStats, [...stranger, `--token=${tokens.alice}`]);
    expect(failure).to.match(/User "alice" cannot get path.*; it takes a user of the group system:masters/);
    expect((await run(runStorageStats, [...stranger, `--token=${tokens.admin}`])).code).to.equal(0);
  });

  it('tell the size of a backup before they send it, and make one at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => server.admin.get('/-/storage/backup')));
    const made = answers.filter(({ code }) => code === 200);
    expect(made.length).to.be.at.least(1);
    for (const { headers } of made) expect(Number(headers['content-length'])).to.be.greaterThan(8192);
    const rest = answers.filter(({ code }) => code !== 200);
    expect(rest.length).to.be.at.least(1);
    for (const { code, headers } of rest) expect([code, headers['retry-after']]).to.deep.equal([429, '5']);
    await eventually(async () => {
      const left = await readdir(join(folder.path, 'data'));
      return left.some((name) => name.startsWith('.backup')) ? undefined : true;
    });
  });

  it('check, count and compact for the commands', async () => {
    expect((await run(runStorageCheck, [asked()])).out).to.match(/is sound: \d+ objects, revision \d+\n$/);
    expect((await run(runStorageCheck, [asked(), '--quick', '-o', 'json'])).code).to.equal(0);
    expect((await run(runStorageStats, [asked()])).out).to.match(
      /Driver: +sqlite\nDialect: +orch\nObjects: +\d+\n/,
    );
    const compacted = JSON.parse((await run(runStorageCompact, [asked(), '-o', 'json'])).out);
    const stats = JSON.parse((await run(runStorageStats, [asked(), '-o', 'json'])).out);
    expect(stats.compactedRevision).to.be.at.least(compacted.compactedRevision);
    expect(stats.disk.sizeBytes).to.be.above(stats.disk.freeBytes);
    expect(stats.history).to.include({ keptMs: 300_000, isCut: false });
    expect(stats.history.sinceMs).to.be.within(Date.now() - 600_000, Date.now());
    expect((await server.admin.get('/api/v1/namespaces')).code).to.equal(200);
  });

  it('find what is wrong with a file', async () => {
    const path = join(folder.path, 'damaged.db');
    await run(runBackup, [path, asked()]);
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    for (let at = 16_384; at < size; at += 8192) await file.write(Buffer.alloc(64, 0xff), 0, 64, at);
    await file.close();
    const { code, out } = await run(runStorageCheck, [`--storage=sqlite:${path}`]);
    expect(code).to.equal(1);
    expect(out).to.match(/damaged\.db is damaged:\n {2}.+/);
    expect(out).to.include('orch restore --force FILE');
  });
});
