import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { runStorageCheck } from '../../../src/app/run-storage.ts';
import { runStorageMigrate } from '../../../src/app/run-storage-migrate.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { makeValue, readValue } from '../../conformance/storage/values.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { commandsAt } from './support.ts';

const names = ['configmaps/default/a', 'events/default/e', 'masterleases/10.0.0.1', 'pods/default/p'];

async function contents(path: string): Promise<Record<string, unknown>> {
  await using store = await openSqliteStorage({ path, dialect: 'kubernetes' });
  const { objects } = await store.range({ prefix: '/registry/' });
  return Object.fromEntries(
    objects.map(({ key, bytes }) => [key.slice('/registry/'.length), readValue(bytes).content]),
  );
}

describe('orch storage migrate', function () {
  this.timeout(60_000);
  let etcd: EtcdCluster;
  let folder: TemporaryDirectory;
  let source: string;
  let run: ReturnType<typeof commandsAt>;
  const at = (name: string): string => join(folder.path, name);
  const cluster = (): string => `etcd:${etcd.endpoints.join(',')}`;
  const migrate = (...argv: readonly string[]) => run(runStorageMigrate, argv);

  before(async () => {
    etcd = await startEtcd();
    folder = await makeTemporaryDirectory();
    run = commandsAt(folder.path);
    source = at('source.db');
    await using store = await openSqliteStorage({ path: source, dialect: 'kubernetes' });
    await store.advanceRevision(300);
    for (const name of names) await store.create(`/registry/${name}`, makeValue('x', { of: name }));
  });
  after(async () => {
    await etcd[Symbol.asyncDispose]();
    await folder.remove();
  });

  it('moves objects from a database to etcd and back, with revisions that only grow', async () => {
    const prefix = '--etcd-prefix=/one';
    const there = await migrate(`--from=sqlite:${source}`, `--to=${cluster()}`, prefix, '-o', 'json');
    expect(there.failure).to.equal('');
    const first = JSON.parse(there.out);
    expect(first).to.deep.include({ objectCount: 2, sourceRevision: 304 });
    expect(first.leftOut).to.have.members(['/registry/events/', '/registry/masterleases/']);
    expect(first.targetRevision).to.be.at.least(306);

    const back = at('back.db');
    const again = await migrate(`--from=${cluster()}`, `--to=sqlite:${back}`, prefix, '--dialect=kubernetes');
    expect(again.failure).to.equal('');
    expect(again.out).to.match(
      /^copied and compared 2 objects: etcd:.* \(revision \d+\) to sqlite:.* \(revision \d+\)\n$/,
    );
    const [, from, to] = /revision (\d+)\).*revision (\d+)\)/.exec(again.out) ?? [];
    expect(Number(from)).to.be.at.least(first.targetRevision);
    expect(Number(to)).to.be.greaterThan(Number(from));
    expect(await contents(back)).to.deep.equal({
      'configmaps/default/a': { of: 'configmaps/default/a' },
      'pods/default/p': { of: 'pods/default/p' },
    });
    const checked = await run(runStorageCheck, [`--storage=${cluster()}`, prefix]);
    expect(checked.out).to.match(/is sound: 2 objects/);
  });

  it('copies events when it is asked to, and tells when it left them out', async () => {
    const without = await migrate(`--from=sqlite:${source}`, `--to=sqlite:${at('without.db')}`);
    expect(without.out).to.match(/Events were left out; --with-events/);
    const withEvents = await migrate(
      `--from=sqlite:${source}`,
      `--to=sqlite:${at('with.db')}`,
      '--with-events',
    );
    expect(withEvents.out).not.to.include('left out');
    expect(Object.keys(await contents(at('with.db')))).to.include('events/default/e');
  });

  it('refuses a target that holds objects', async () => {
    const prefix = '--etcd-prefix=/two';
    expect((await migrate(`--from=sqlite:${source}`, `--to=${cluster()}`, prefix)).code).to.equal(0);
    const { failure } = await migrate(`--from=sqlite:${source}`, `--to=${cluster()}`, prefix);
    expect(failure).to.match(/the target holds objects already \(\/two\/.*interrupted/);
  });

  it('refuses a source that a server uses, or that is not there, and makes no target', async () => {
    await using _holder = await openSqliteStorage({ path: at('used.db'), dialect: 'orch' });
    const used = await migrate(`--from=sqlite:${at('used.db')}`, `--to=sqlite:${at('none.db')}`);
    expect(used.failure).to.match(/in use by another process/);
    const missing = await migrate(`--from=sqlite:${at('missing.db')}`, `--to=sqlite:${at('none.db')}`);
    expect(missing.failure).to.match(/there is no database/);
    const unreachable = await migrate('--from=etcd:http://127.0.0.1:1', `--to=sqlite:${at('none.db')}`);
    expect(unreachable.failure).to.match(/no etcd member answers/);
    const exists = await access(at('none.db')).then(
      () => true,
      () => false,
    );
    expect(exists).to.equal(false);
  });

  it('removes the database that it began when it is interrupted', async () => {
    const signal = AbortSignal.abort(new Error('interrupted by SIGTERM'));
    const argv = [`--from=sqlite:${source}`, `--to=sqlite:${at('half.db')}`];
    expect((await run(runStorageMigrate, argv, { signal })).failure).to.equal('interrupted by SIGTERM');
    expect((await migrate(...argv)).code).to.equal(0);
  });

  it('explains a wrong command line', async () => {
    const { failure } = await migrate('--from=memory:', '--too=x');
    expect(failure).to.match(/unknown flag: --too; did you mean --to\?/);
    expect((await migrate('--from=memory:')).failure).to.equal(
      '--from=memory:: must be sqlite:PATH or etcd:URL,URL\n--to is missing: give sqlite:PATH or etcd:URL,URL',
    );
    expect((await migrate(`--from=sqlite:${source}`, `--to=sqlite:${source}`)).failure).to.match(
      /same store/,
    );
  });
});
