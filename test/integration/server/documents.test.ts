import { expect } from 'chai';
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
    expect(body.kind).to.equal('APIVersions');
    expect(body.versions).to.deep.equal(['v1']);
    expect(body.serverAddressByClientCIDRs[0].serverAddress).to.match(/^[\d.]+:\d+$/);
  });

  it('groups, and every version of each of them', async () => {
    const { body } = await admin.get('/apis');
    expect(body.kind).to.equal('APIGroupList');
    const names: string[] = body.groups.map(({ name }: JsonObject) => name);
    expect(names).to.include.members([
      'apps',
      'batch',
      'autoscaling',
      'policy',
      'networking.orch.io',
      'storage.orch.io',
    ]);
    for (const group of body.groups) {
      const one = await admin.get(`/apis/${group.name}`);
      expect(one.body).to.deep.equal({ kind: 'APIGroup', apiVersion: 'v1', ...group });
      for (const { groupVersion } of group.versions) {
        const resources = await admin.get(`/apis/${groupVersion}`);
        expect(resources.body.kind, groupVersion).to.equal('APIResourceList');
        expect(resources.body.groupVersion).to.equal(groupVersion);
        expect(resources.body.resources).to.not.be.empty;
      }
    }
  });

  it('OpenAPI of everything, and of each version that there is', async () => {
    const whole = JSON.parse((await admin.get('/openapi/v2')).text);
    const { groups } = (await admin.get('/apis')).body;
    const versions: string[] = groups.flatMap((group: JsonObject) =>
      group.versions.map(({ groupVersion }: JsonObject) => `apis/${groupVersion}`),
    );
    const index = (await admin.get('/openapi/v3')).body.paths;
    expect(Object.keys(index).sort()).to.deep.equal(['api/v1', ...versions].sort());
    for (const [path, { serverRelativeURL }] of Object.entries<JsonObject>(index)) {
      const { code, headers, body } = await admin.get(serverRelativeURL);
      expect(code, path).to.equal(200);
      expect(headers['cache-control'], path).to.match(/immutable/);
      const told = Object.keys(whole.paths).filter((known) => known.startsWith(`/${path}/`));
      expect(Object.keys(body.paths), path).to.deep.equal(told);
    }
  });

  it('nothing at the path of OpenAPI with a slash behind it', async () => {
    const { code, body } = await admin.get('/openapi/v2/');
    expect(code).to.equal(404);
    expect(body.paths).to.include('/openapi/v2');
  });

  it('metrics, and counts anew when told so', async () => {
    const count = async (): Promise<number> => {
      const { text } = await admin.get('/metrics');
      const lines = text.matchAll(/^apiserver_request_total\{.*verb="LIST".*resource="nodes".*\} (\d+)$/gm);
      return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
    };
    await admin.get('/api/v1/nodes');
    expect(await count()).to.be.above(0);
    const { code, text, headers } = await admin.send('DELETE', '/metrics');
    expect([code, text, headers['content-type']]).to.deep.equal([
      200,
      'metrics reset\n',
      'text/plain; charset=utf-8',
    ]);
    expect(await count()).to.equal(0);
    await admin.get('/api/v1/nodes');
    expect(await count()).to.equal(1);
  });

  it('nothing of OpenAPI 3 to clients of the release', async () => {
    expect((await admin.get('/')).body.paths)
      .to.include('/openapi/v2')
      .and.not.include('/openapi/v3');
    for (const method of ['HEAD', 'PATCH', 'PUT'])
      expect((await admin.send(method, '/openapi/v3')).code, method).to.equal(404);
    expect((await admin.get('/openapi/v3/apis/apps/v0')).code).to.equal(404);
    expect((await server.anonymous.get('/openapi/v3')).code).to.equal(403);
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
        expect(code, `${path}/${name}`).to.equal(200);
        expect(list.kind).to.equal(`${kind}List`);
        expect(list.items).to.be.an('array');
      }
    }
  });

  it('the same documents with and without a slash at the end', async () => {
    for (const path of ['/api', '/apis', '/apis/apps', '/apis/apps/v1', '/api/v1']) {
      expect((await admin.get(`${path}/`)).text, path).to.equal((await admin.get(path)).text);
    }
  });

  it('the release that it speaks', async () => {
    const { body } = await admin.get('/version');
    expect(body).to.include({ major: '1', minor: '20' });
    expect(body.gitVersion).to.match(/^v1\.20\.\d+/);
  });

  it('that release alone in the dialect whose clients compare it, and its own version beside it', async () => {
    const other = await startTestServer({ flags: ['--dialect=kubernetes'] });
    try {
      const { body } = await other.admin.get('/version');
      expect(body.gitVersion).to.equal('v1.20.2');
      expect(body.orchVersion).to.match(/^\d+\.\d+\.\d+$/);
      expect((await other.admin.get('/openapi/v2')).body.info.version).to.equal('v1.20.2');
    } finally {
      await other.stop();
    }
  });

  it('a Status for what does not exist', async () => {
    const { code, body } = await admin.get('/api/v1/nonsense');
    expect(code).to.equal(404);
    expect(body.reason).to.equal('NotFound');
    expect(body.message).to.equal('the server could not find the requested resource');
    const group = await admin.get('/apis/no.such.group/v1/things');
    expect(group.code).to.equal(404);
    expect(group.text).to.equal('404 page not found\n');
  });

  for (const endpoint of ['healthz', 'livez', 'readyz']) {
    it(`health: /${endpoint} whole, in detail, one check, and without some`, async () => {
      const whole = await admin.get(`/${endpoint}`);
      expect(whole.text).to.equal('ok');
      expect(whole.headers['content-type']).to.equal('text/plain; charset=utf-8');
      const detail = (await admin.get(`/${endpoint}?verbose`)).text.split('\n');
      expect(detail).to.include.members([
        '[+]ping ok',
        '[+]log ok',
        '[+]etcd ok',
        `${endpoint} check passed`,
      ]);
      expect(detail.slice(0, -2).every((line) => /^\[\+\]\S+ ok$/.test(line))).to.equal(true);
      for (const line of detail.slice(0, -2)) {
        const name = line.slice('[+]'.length, -' ok'.length);
        expect((await admin.get(`/${endpoint}/${name}`)).text, name).to.equal('ok');
      }
      const partial = await admin.get(`/${endpoint}?verbose&exclude=etcd&exclude=nonsense`);
      expect(partial.text).to.include('[+]etcd excluded: ok\n');
      expect(partial.text).to.include(
        'warn: some health checks cannot be excluded: no matches for "nonsense"\n',
      );
      expect((await admin.get(`/${endpoint}/nonsense`)).code).to.equal(404);
    });
  }

  it('metrics of how large answers to reads are', async () => {
    const sizesOf = async (): Promise<number> => {
      const { text } = await admin.get('/metrics');
      const sums = /^apiserver_response_sizes_sum\{verb="LIST"[^}]*resource="nodes"[^}]*\} (\d+)$/m.exec(
        text,
      );
      return Number(sums?.[1] ?? 0);
    };
    const before = await sizesOf();
    const { bytes } = await admin.get('/api/v1/nodes');
    expect((await sizesOf()) - before).to.equal(bytes.length);
  });

  it('metrics under the names that dashboards know', async () => {
    await admin.get('/api/v1/namespaces/default/configmaps');
    const { text, headers } = await admin.get('/metrics');
    expect(String(headers['content-type'])).to.match(/^text\/plain/);
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
      expect(names.has(name), name).to.equal(true);
    const lists = text
      .split('\n')
      .filter((line) => line.startsWith('apiserver_request_total') && line.includes('resource="configmaps"'));
    expect(
      lists.some(
        (line) => line.includes('verb="LIST"') && line.includes('code="200"') && / [1-9]\d*$/.test(line),
      ),
      lists.join('\n'),
    ).to.equal(true);
  });

  it('nothing of what strangers send becomes a metric', async () => {
    await admin.get('/api/v1/injected-resource');
    await admin.send('PURGE', '/api/v1/pods').catch(() => undefined);
    await admin.get('/injected-path');
    expect((await admin.get('/metrics')).text).to.not.include('injected');
  });
});
