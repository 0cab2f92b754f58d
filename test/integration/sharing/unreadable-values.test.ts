import { expect } from 'chai';
import type { ApiAnswer } from '../../support/api-client.ts';
import { type EtcdCluster, etcdctl, startEtcd } from '../../support/etcd-process.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const key = (name: string): string => `/registry/configmaps/default/${name}`;
const foreign = 'it is no ConfigMap in a version that is known';

/** Values that are no ConfigMap, and what is said of them. */
const damage: readonly [value: string, problem: string][] = [
  ['garbage', 'it is not JSON'],
  ['{}', 'it has no metadata'],
  ['[]', 'it is not a JSON object'],
  ['null', 'it is not a JSON object'],
  ['{"kind":"ConfigMap","apiVersion":"v1"}', 'it has no metadata'],
  ['{"kind":"Secret","apiVersion":"v1","metadata":{"name":"other"}}', foreign],
  ['{"kind":"ConfigMap","apiVersion":"v9","metadata":{"name":"bad"}}', foreign],
  ['{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"bad","labels":5}}', 'it does not fit its kind'],
];

describe('values in etcd that are no objects', function () {
  this.timeout(120_000);
  let etcd: EtcdCluster;
  let server: ServerProcess;

  const start = (): Promise<ServerProcess> =>
    startServerProcess([
      `--etcd-servers=${etcd.endpoints.join(',')}`,
      '--advertise-address=192.0.2.1',
      '--disable-admission-plugins=ServiceAccount',
    ]);
  const ctl = (...args: string[]): Promise<string> => etcdctl(etcd.endpoints[0] ?? '', args);
  const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

  before(async () => {
    etcd = await startEtcd();
    server = await start();
    await server.admin.create(configMaps, map('good'));
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
  });

  function expectUnreadable({ code, body }: ApiAnswer, name: string, problem: string): void {
    const message = `Internal error occurred: the value of ${key(name)} cannot be read: ${problem}`;
    expect([code, body.reason, body.message]).to.deep.equal([500, 'InternalError', message]);
  }

  /** Everything but what the damaged value belongs to. */
  async function expectRest({ admin }: ServerProcess): Promise<void> {
    expect((await admin.get(`${configMaps}/good`)).code).to.equal(200);
    expect((await admin.get('/api/v1/namespaces/orch-public/configmaps')).code).to.equal(200);
    expect((await admin.get(secrets)).code).to.equal(200);
    expect((await admin.get('/readyz')).code).to.equal(200);
    const { metadata } = await admin.create(configMaps, map('other'));
    await admin.expect('DELETE', `${configMaps}/${metadata.name}`);
  }

  for (const [value, problem] of damage) {
    it(`hurt their own resource only, and can be deleted: ${value}`, async () => {
      const { admin } = server;
      const told = server.log.length;
      await ctl('put', key('bad'), value);
      for (const path of [`${configMaps}/bad`, configMaps, '/api/v1/configmaps', `${configMaps}?limit=1`])
        expectUnreadable(await admin.get(path), 'bad', problem);
      expectUnreadable(await admin.send('PUT', `${configMaps}/bad`, { body: map('bad') }), 'bad', problem);
      await expectRest(server);
      const uid = { body: { preconditions: { uid: 'x' } } };
      expectUnreadable(await admin.send('DELETE', `${configMaps}/bad`, uid), 'bad', problem);
      await admin.expect('DELETE', `${configMaps}/bad?dryRun=All`);
      const { status, details } = await admin.expect('DELETE', `${configMaps}/bad`);
      expect([status, details]).to.deep.equal(['Success', { name: 'bad', kind: 'configmaps' }]);
      expect(await ctl('get', key('bad'))).to.equal('');
      expect((await admin.get(`${configMaps}/bad`)).code).to.equal(404);
      await admin.expect('GET', configMaps);
      const lines = server.log.slice(told).filter((line) => line.includes('cannot be read'));
      expect(lines, 'told once').to.have.length(1);
    });
  }

  it('end the watches that they concern, which go on when somebody has mended them', async () => {
    const { admin } = server;
    const { metadata } = await admin.create(configMaps, map('changing'));
    const { resourceVersion } = metadata;
    const concerned = await admin.watch(configMaps, { resourceVersion });
    const one = await admin.watch(configMaps, { resourceVersion, fieldSelector: 'metadata.name=good' });
    const others = await admin.watch(secrets, { resourceVersion });
    const stored = await ctl('get', '--print-value-only', key('changing'));
    await ctl('put', key('changing'), 'garbage');
    const [ended] = await concerned.take(1);
    expect([ended?.type, ended?.object.code, ended?.object.reason]).to.deep.equal([
      'ERROR',
      500,
      'InternalError',
    ]);
    expect(ended?.object.message).to.include(key('changing'));
    const [refused] = await (await admin.watch(configMaps, { resourceVersion })).take(1);
    expect([refused?.type, refused?.object.code]).to.deep.equal(['ERROR', 500]);

    await ctl('put', key('changing'), stored.trimEnd());
    const list = await admin.expect('GET', configMaps);
    expect(list.items.map((item: { metadata: { name: string } }) => item.metadata.name)).to.include(
      'changing',
    );
    const [tooOld] = await (await admin.watch(configMaps, { resourceVersion })).take(1);
    expect([tooOld?.type, tooOld?.object.code]).to.deep.equal(['ERROR', 410]);
    const fresh = await admin.watch(configMaps, { resourceVersion: list.metadata.resourceVersion });
    await admin.expect('DELETE', `${configMaps}/changing`);
    expect((await fresh.take(1))[0]?.type).to.equal('DELETED');

    const body = { ...map('good'), data: { a: 'b' } };
    await admin.expect('PUT', `${configMaps}/good`, { body });
    expect((await one.take(1))[0]?.type).to.equal('MODIFIED');
    await admin.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
    expect((await others.take(1))[0]?.type).to.equal('ADDED');
    for (const watch of [one, others, fresh]) watch.close();
  });

  it('are passed over where no resource is', async () => {
    const { admin } = server;
    const told = server.log.length;
    const watch = await admin.watch(configMaps, {
      resourceVersion: (await admin.expect('GET', configMaps)).metadata.resourceVersion,
    });
    await ctl('put', '/registry/whatever', 'garbage');
    await ctl('put', '/registry/widgets/default/a', '{}');
    await admin.expect('GET', configMaps);
    await admin.create(configMaps, map('later'));
    expect((await watch.take(1))[0]?.object.metadata.name).to.equal('later');
    watch.close();
    expect(server.log.slice(told).filter((line) => line.includes('cannot be read'))).to.deep.equal([]);
  });

  it('let a server start, which then says the same of them', async () => {
    const values: readonly [key: string, path: string][] = [
      [key('bad'), `${configMaps}/bad`],
      ['/registry/namespaces/orch-node-lease', '/api/v1/namespaces'],
      ['/registry/services/specs/default/bad', '/api/v1/services'],
      ['/registry/priorityclasses/system-node-critical', '/apis/scheduling.orch.io/v1/priorityclasses'],
    ];
    for (const [where] of values) await ctl('put', where, 'garbage');
    await using second = await start();
    for (const [where, path] of values) {
      const { code, body } = await second.admin.get(path);
      expect([code, body.message]).to.deep.equal([
        500,
        `Internal error occurred: the value of ${where} cannot be read: it is not JSON`,
      ]);
    }
    await expectRest(second);
    for (const [where] of values) await ctl('del', where);
    for (const { admin } of [server, second]) await admin.expect('GET', configMaps);
  });
});
