import { join } from 'node:path';
import { expect } from 'chai';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

type Json = Record<string, unknown>;
const times = { uid: '0b5a9c1e-0000-4000-8000-000000000001', creationTimestamp: '2020-01-01T00:00:00Z' };
const stored = (apiVersion: string, kind: string, name: string, rest: Json, namespace?: string): Json => ({
  kind,
  apiVersion,
  metadata: { name, ...(namespace && { namespace }), resourceVersion: '', ...times },
  ...rest,
});
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
const path = (name: string) => [
  { path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } },
];
const involved = { kind: 'Pod', name: 'p', namespace: 'default' };

/** What older and newer servers, and other programs, may have left behind. */
const leftBehind: Readonly<Record<string, Json>> = {
  'ingress/default/new': stored(
    'networking.orch.io/v1',
    'Ingress',
    'new',
    { spec: { rules: [{ http: { paths: path('web') } }] } },
    'default',
  ),
  'ingress/default/old': stored(
    'extensions/v1beta1',
    'Ingress',
    'old',
    { spec: { backend: { serviceName: 'web', servicePort: 80 } } },
    'default',
  ),
  'deployments/default/web': stored(
    'extensions/v1beta1',
    'Deployment',
    'web',
    { spec: { template } },
    'default',
  ),
  'cronjobs/default/nightly': stored(
    'batch/v2alpha1',
    'CronJob',
    'nightly',
    { spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template } } } },
    'default',
  ),
  'events/default/e': stored(
    'events.orch.io/v1',
    'Event',
    'e',
    {
      eventTime: '2020-01-01T00:00:00.000000Z',
      regarding: involved,
      note: 'hello',
      reason: 'R',
      action: 'A',
    },
    'default',
  ),
  'poddisruptionbudgets/default/web': stored(
    'policy/v1beta1',
    'PodDisruptionBudget',
    'web',
    { spec: { minAvailable: 1 } },
    'default',
  ),
  'runtimeclasses/plain': stored('node.orch.io/v1alpha1', 'RuntimeClass', 'plain', {
    spec: { runtimeHandler: 'runc' },
  }),
  // Does not fit its kind, and must not keep the rest from being read.
  'priorityclasses/odd': stored('scheduling.orch.io/v1beta1', 'PriorityClass', 'odd', { value: 'much' }),
};

describe('values in other versions than the storage version', function () {
  this.timeout(60_000);
  let directory: TemporaryDirectory;
  let file: string;
  let server: TestServer | undefined;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    file = join(directory.path, 'store.db');
    await using storage = await openSqliteStorage({ path: file, dialect: orchDialect.name });
    for (const [key, value] of Object.entries(leftBehind))
      await storage.create(`/registry/${key}`, Buffer.from(JSON.stringify(value)));
    // Another order of fields than all servers write.
    const { kind, apiVersion, ...rest } = stored('v1', 'ConfigMap', 'odd', { data: { a: 'b' } }, 'default');
    await storage.create(
      '/registry/configmaps/default/odd',
      Buffer.from(JSON.stringify({ apiVersion, kind, ...rest })),
    );
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await directory.remove();
  });

  const start = async (...flags: string[]) => {
    server = await startTestServer({
      flags: [`--data-dir=${directory.path}`, `--storage=sqlite:${file}`, ...flags],
    });
    return server.admin;
  };
  /** Stops the server and reads what is stored. */
  const readStored = async (key: string): Promise<Json> => {
    await server?.stop();
    server = undefined;
    await using storage = await openSqliteStorage({ path: file, dialect: orchDialect.name });
    const object = await storage.get(`/registry/${key}`);
    return JSON.parse(object?.bytes.toString() ?? 'null');
  };
  const apis = '/apis/networking.orch.io';

  it('are read in every version, with the defaults of theirs', async () => {
    const admin = await start();
    const old = await admin.expect('GET', `${apis}/v1/namespaces/default/ingresses/old`);
    expect(old).to.deep.include({
      spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
    });
    const beta = await admin.expect('GET', `${apis}/v1beta1/namespaces/default/ingresses/new`);
    expect(beta).to.have.nested.property('spec.rules[0].http.paths[0].backend.servicePort', 80);
    const web = await admin.expect('GET', '/apis/apps/v1/namespaces/default/deployments/web');
    expect(web).to.have.nested.property('spec.revisionHistoryLimit', 2_147_483_647);
    expect(web).to.have.nested.property('spec.selector.matchLabels.a', 'b');
    const cron = await admin.expect('GET', '/apis/batch/v1beta1/namespaces/default/cronjobs/nightly');
    expect(cron).to.have.nested.property('spec.concurrencyPolicy', 'Allow');
    const event = await admin.expect('GET', '/api/v1/namespaces/default/events/e');
    expect(event).to.deep.include({ message: 'hello', involvedObject: involved });
    const runtime = await admin.expect('GET', '/apis/node.orch.io/v1/runtimeclasses/plain');
    expect(runtime).to.have.property('handler', 'runc');
    const map = await admin.expect('GET', '/api/v1/namespaces/default/configmaps/odd');
    expect(map).to.deep.include({ data: { a: 'b' } });
    const list = await admin.expect(
      'GET',
      '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name!=x',
    );
    expect(list).to.have.nested.property('items[0].metadata.name', 'odd');
  });

  it('are listed, selected and watched together', async () => {
    const admin = await start();
    const list = await admin.expect('GET', `${apis}/v1/namespaces/default/ingresses`);
    expect((list.items as Json[]).map(({ metadata }) => (metadata as Json).name)).to.deep.equal([
      'new',
      'old',
    ]);
    const events = await admin.expect('GET', '/api/v1/events?fieldSelector=involvedObject.name%3Dp');
    expect(events.items).to.have.length(1);
    const watch = await admin.watch(`${apis}/v1beta1/ingresses`, { resourceVersion: '0' });
    const seen = await watch.take(2);
    watch.close();
    expect(seen.map(({ object }) => object.apiVersion)).to.deep.equal(
      Array(2).fill('networking.orch.io/v1beta1'),
    );
  });

  it('are readable through the versions that are left when theirs are switched off', async () => {
    const off = ['extensions/v1beta1', 'networking.orch.io/v1beta1', 'events.orch.io/v1', 'batch/v1beta1'];
    const flag = [...off.map((version) => `${version}=false`), 'batch/v2alpha1=true'].join(',');
    const admin = await start(`--runtime-config=${flag}`);
    expect((await admin.get(`${apis}/v1beta1/namespaces/default/ingresses/old`)).code).to.equal(404);
    for (const name of ['old', 'new'])
      await admin.expect('GET', `${apis}/v1/namespaces/default/ingresses/${name}`);
    await admin.expect('GET', '/apis/batch/v2alpha1/namespaces/default/cronjobs/nightly');
    await admin.expect('GET', '/apis/events.orch.io/v1beta1/namespaces/default/events/e');
    // Written through what is left, stored in the storage version all the same.
    const one = await admin.expect('GET', `${apis}/v1/namespaces/default/ingresses/old`);
    await admin.expect('PUT', `${apis}/v1/namespaces/default/ingresses/old`, { body: one });
    expect(await readStored('ingress/default/old')).to.have.property(
      'apiVersion',
      'networking.orch.io/v1beta1',
    );
  });

  it('move to the storage version with a write that changes nothing, once', async () => {
    const admin = await start();
    const url = `${apis}/v1/namespaces/default/ingresses/new`;
    const before = await admin.expect('GET', url);
    const moved = await admin.expect('PUT', url, { body: before });
    const again = await admin.expect('PUT', url, { body: moved });
    const versionOf = (object: Json) => (object.metadata as Json).resourceVersion;
    expect(versionOf(moved)).to.not.equal(versionOf(before));
    expect(versionOf(again)).to.equal(versionOf(moved));
    expect(await readStored('ingress/default/new')).to.have.property(
      'apiVersion',
      'networking.orch.io/v1beta1',
    );
  });

  it('can be deleted as they are', async () => {
    const admin = await start();
    await admin.expect('DELETE', `${apis}/v1/namespaces/default/ingresses/old`);
    await admin.expect('DELETE', '/apis/apps/v1/namespaces/default/deployments/web');
    expect(await readStored('ingress/default/old')).to.equal(null);
  });

  it('keep the server from nothing when they do not fit their kind', async () => {
    const admin = await start();
    expect((await admin.get('/readyz')).code).to.equal(200);
    expect((await admin.get('/apis/scheduling.orch.io/v1/priorityclasses/odd')).code).to.be.oneOf([200, 500]);
  });

  describe('with --storage-versions', () => {
    it('writes that version, and reads what it finds', async () => {
      const admin = await start('--storage-versions=networking.orch.io/v1/ingresses,coordination.orch.io/v1');
      const url = `${apis}/v1beta1/namespaces/default/ingresses`;
      const spec = { backend: { serviceName: 'web', servicePort: 'http' } };
      const made = await admin.expect('POST', url, {
        body: { kind: 'Ingress', apiVersion: 'networking.orch.io/v1beta1', metadata: { name: 'made' }, spec },
      });
      expect(made).to.deep.include({ spec });
      await admin.expect('GET', `${url}/old`);
      const same = await admin.expect('PUT', `${url}/made`, { body: made });
      expect(same).to.deep.equal(made);
      await admin.expect('PATCH', `${url}/made`, {
        body: { metadata: { labels: { a: 'b' } } },
        contentType: 'application/merge-patch+json',
      });
      const lease = {
        kind: 'Lease',
        apiVersion: 'coordination.orch.io/v1beta1',
        metadata: { name: 'l' },
        spec: {},
      };
      await admin.expect('POST', '/apis/coordination.orch.io/v1beta1/namespaces/default/leases', {
        body: lease,
      });
      expect(await readStored('ingress/default/made')).to.deep.include({
        apiVersion: 'networking.orch.io/v1',
        spec: { defaultBackend: { service: { name: 'web', port: { name: 'http' } } } },
      });
      expect(await readStored('leases/default/l')).to.have.property('apiVersion', 'coordination.orch.io/v1');
      // Without the option again: still readable, and back with the next write.
      const next = await start();
      const found = await next.expect('GET', `${url}/made`);
      expect(found).to.have.nested.property('metadata.labels.a', 'b');
      await next.expect('PUT', `${url}/made`, { body: found });
      expect(await readStored('ingress/default/made')).to.have.property(
        'apiVersion',
        'networking.orch.io/v1beta1',
      );
    });

    const refusals: [string, RegExp][] = [
      ['batch/v2alpha1', /batch\/v2alpha1 is not served; served are batch\/v1, batch\/v1beta1/],
      ['nowhere.example.com/v1', /no version of the group "nowhere.example.com" is served/],
      ['networking.orch.io/v1/pods', /networking.orch.io\/v1 has no resource "pods"/],
      ['authentication.orch.io/v1', /nothing is stored/],
      [
        'networking.orch.io/v1,networking.orch.io/v1beta1/ingresses',
        /are to be stored in networking.orch.io\/v1 already/,
      ],
      ['Networking/1', /neither group\/version nor group\/version\/resource/],
    ];
    for (const [value, reason] of refusals) {
      it(`is refused with the reason: ${value}`, async () => {
        const error = await start(`--storage-versions=${value}`).then(
          () => undefined,
          (failure: unknown) => failure,
        );
        expect(String(error)).to.match(reason);
      });
    }

    it('takes the names of the dialect, as --runtime-config does', async () => {
      server = await startTestServer({
        flags: [
          '--dialect=kubernetes',
          '--runtime-config=networking.k8s.io/v1beta1=false,extensions/v1beta1=false',
          '--storage-versions=networking.k8s.io/v1',
        ],
      });
      const { groups } = await server.admin.expect('GET', '/apis');
      const group = groups.find(({ name }: Json) => name === 'networking.k8s.io');
      expect(group.versions).to.have.length(1);
      await server.admin.expect('POST', '/apis/networking.k8s.io/v1/ingressclasses', {
        body: {
          kind: 'IngressClass',
          apiVersion: 'networking.k8s.io/v1',
          metadata: { name: 'c' },
          spec: { controller: 'a.io/b' },
        },
      });
    });

    it('is refused where objects would mean something else', async () => {
      const error = await start(
        '--runtime-config=rbac.authorization.orch.io/v1alpha1=true',
        '--storage-versions=rbac.authorization.orch.io/v1alpha1/rolebindings',
      ).catch(String);
      expect(error).to.match(/cannot hold every RoleBinding: the user \* becomes/);
    });
  });
});
