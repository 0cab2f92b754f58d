import { assert } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('what a server tells of itself', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  it('versions of the core group', async () => {
    const { body } = await admin.get('/api');
    assert.equal(body.kind, 'APIVersions');
    assert.deepEqual(body.versions, ['v1']);
    assert.match(body.serverAddressByClientCIDRs[0].serverAddress, /^[\d.]+:\d+$/);
  });

  it('groups, and every version of each of them', async () => {
    const { body } = await admin.get('/apis');
    assert.equal(body.kind, 'APIGroupList');
    const names: string[] = body.groups.map(({ name }: JsonObject) => name);
    assert.includeMembers(names, [
      'apps',
      'batch',
      'autoscaling',
      'policy',
      'networking.orch.io',
      'storage.orch.io',
    ]);
    for (const group of body.groups) {
      const one = await admin.get(`/apis/${group.name}`);
      assert.deepEqual(one.body, { kind: 'APIGroup', apiVersion: 'v1', ...group });
      for (const { groupVersion } of group.versions) {
        const resources = await admin.get(`/apis/${groupVersion}`);
        assert.equal(resources.body.kind, 'APIResourceList', groupVersion);
        assert.equal(resources.body.groupVersion, groupVersion);
        assert.isNotEmpty(resources.body.resources);
      }
    }
  });

  it('resources with their verbs, and each that can be listed answers a list', async () => {
    const { body } = await admin.get('/apis');
    const versions = [
      '/api/v1',
      ...body.groups.flatMap(({ versions }: JsonObject) =>
        versions.map(({ groupVersion }: JsonObject) => `/apis/${groupVersion}`),
      ),
    ];
    for (const path of versions) {
      const { resources } = (await admin.get(path)).body;
      for (const { name, kind, verbs } of resources) {
        if (!verbs.includes('list') || name === 'componentstatuses') continue;
        const { code, body: list } = await admin.get(`${path}/${name}`);
        assert.equal(code, 200, `${path}/${name}`);
        assert.equal(list.kind, `${kind}List`);
        assert.isArray(list.items);
      }
    }
  });

  it('the same documents with and without a slash at the end', async () => {
    for (const path of ['/api', '/apis', '/apis/apps', '/apis/apps/v1', '/api/v1']) {
      assert.equal((await admin.get(`${path}/`)).text, (await admin.get(path)).text, path);
    }
  });

  it('the release that it speaks', async () => {
    const { body } = await admin.get('/version');
    assert.include(body, { major: '1', minor: '20' });
    assert.match(body.gitVersion, /^v1\.20\.\d+/);
  });

  it('a Status for what does not exist', async () => {
    const { code, body } = await admin.get('/api/v1/nonsense');
    assert.equal(code, 404);
    assert.equal(body.reason, 'NotFound');
    assert.equal(body.message, 'the server could not find the requested resource');
    const group = await admin.get('/apis/no.such.group/v1/things');
    assert.equal(group.code, 404);
    assert.equal(group.text, '404 page not found\n');
  });

  for (const endpoint of ['healthz', 'livez', 'readyz']) {
    it(`health: /${endpoint} whole, in detail, one check, and without some`, async () => {
      const whole = await admin.get(`/${endpoint}`);
      assert.equal(whole.text, 'ok');
      assert.equal(whole.headers['content-type'], 'text/plain; charset=utf-8');
      const detail = (await admin.get(`/${endpoint}?verbose`)).text.split('\n');
      assert.includeMembers(detail, ['[+]ping ok', '[+]log ok', '[+]etcd ok', `${endpoint} check passed`]);
      assert.isTrue(detail.slice(0, -2).every((line) => /^\[\+\]\S+ ok$/.test(line)));
      for (const line of detail.slice(0, -2)) {
        const name = line.slice('[+]'.length, -' ok'.length);
        assert.equal((await admin.get(`/${endpoint}/${name}`)).text, 'ok', name);
      }
      const partial = await admin.get(`/${endpoint}?verbose&exclude=etcd&exclude=nonsense`);
      assert.include(partial.text, '[+]etcd excluded: ok\n');
      assert.include(
        partial.text,
        'warn: some health checks cannot be excluded: no matches for "nonsense"\n',
      );
      assert.equal((await admin.get(`/${endpoint}/nonsense`)).code, 404);
    });
  }

  it('metrics under the names that dashboards know', async () => {
    await admin.get('/api/v1/namespaces/default/configmaps');
    const { text, headers } = await admin.get('/metrics');
    assert.match(String(headers['content-type']), /^text\/plain/);
    const names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]));
    for (const name of [
      'apiserver_request_total',
      'apiserver_request_duration_seconds',
      'apiserver_response_sizes',
      'apiserver_current_inflight_requests',
      'apiserver_longrunning_gauge',
      'etcd_db_total_size_in_bytes',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      assert.isTrue(names.has(name), name);
    const lists = text
      .split('\n')
      .filter((line) => line.startsWith('apiserver_request_total') && line.includes('resource="configmaps"'));
    assert.isTrue(
      lists.some(
        (line) => line.includes('verb="LIST"') && line.includes('code="200"') && / [1-9]\d*$/.test(line),
      ),
      lists.join('\n'),
    );
  });

  it('nothing of what strangers send becomes a metric', async () => {
    await admin.get('/api/v1/injected-resource');
    await admin.send('PURGE', '/api/v1/pods').catch(() => undefined);
    await admin.get('/injected-path');
    assert.notInclude((await admin.get('/metrics')).text, 'injected');
  });
});
