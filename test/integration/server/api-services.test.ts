import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const path = '/apis/apiregistration.orch.io/v1/apiservices';
const core = '/api/v1/namespaces/default';

describe('an API service', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  const register = (group: string, spec: object): Promise<JsonObject> =>
    admin.create(path, {
      metadata: { name: `v1.${group}` },
      spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, ...spec },
    });
  const remote = (name: string) => ({ service: { name, namespace: 'default' }, insecureSkipTLSVerify: true });
  const conditionOf = async (group: string): Promise<JsonObject | undefined> =>
    (await admin.get(`${path}/v1.${group}`)).body.status.conditions?.[0];
  const hasReason = (group: string, reason: string) =>
    eventually(async () => {
      const condition = await conditionOf(group);
      return condition?.reason === reason ? condition : undefined;
    });

  it('that this server serves is available', async () => {
    const { body } = await admin.get(`${path}/v1.apps`);
    expect(body.status.conditions[0]).to.deep.include({ status: 'True', reason: 'Local' });
  });

  it('tells of its service as that comes and goes', async () => {
    const created = await register('a.example.com', remote('a'));
    expect(created.status).to.deep.equal({});
    const first = await hasReason('a.example.com', 'ServiceNotFound');
    expect(first).to.deep.include({
      type: 'Available',
      status: 'False',
      message: 'service/a in "default" is not present',
    });
    const service = { metadata: { name: 'a' }, spec: { ports: [{ name: 'api', port: 80 }] } };
    await admin.create(`${core}/services`, service);
    await hasReason('a.example.com', 'ServicePortError');
    await admin.expect('PATCH', `${core}/services/a`, {
      body: [{ op: 'replace', path: '/spec/ports/0/port', value: 443 }],
      contentType: 'application/json-patch+json',
    });
    await hasReason('a.example.com', 'EndpointsNotFound');
    await admin.create(`${core}/endpoints`, { metadata: { name: 'a' } });
    await hasReason('a.example.com', 'MissingEndpoints');
    await admin.expect('DELETE', `${core}/services/a`);
    const last = await hasReason('a.example.com', 'ServiceNotFound');
    expect(last.lastTransitionTime).to.equal(first.lastTransitionTime);
  });

  it('is counted while it is unavailable, and each time that it becomes so', async () => {
    const metricOf = async (metric: string): Promise<string | undefined> => {
      const { text } = await admin.get('/metrics');
      return text
        .split('\n')
        .find((line) => line.startsWith(`${metric} `))
        ?.split(' ')[1];
    };
    const name = 'v1.counted.example.com';
    const gauge = `aggregator_unavailable_apiservice{name="${name}"}`;
    const total = (reason: string) =>
      `aggregator_unavailable_apiservice_total{name="${name}",reason="${reason}"}`;
    await register('counted.example.com', {});
    await hasReason('counted.example.com', 'Local');
    await eventually(async () => (await metricOf(gauge)) === '0');
    const move = (service: object | null) =>
      admin.expect('PATCH', `${path}/${name}`, {
        contentType: 'application/merge-patch+json',
        body: { spec: { service, insecureSkipTLSVerify: service !== null } },
      });
    await move(remote('nothing').service);
    await hasReason('counted.example.com', 'ServiceNotFound');
    await eventually(async () => (await metricOf(gauge)) === '1');
    expect(await metricOf(total('ServiceNotFound'))).to.equal('1');
    await move(null);
    await hasReason('counted.example.com', 'Local');
    await eventually(async () => (await metricOf(gauge)) === '0');
    await admin.expect('DELETE', `${path}/${name}`);
    await eventually(async () => (await metricOf(gauge)) === undefined);
    expect(await metricOf(total('ServiceNotFound'))).to.equal('1');
  });

  it('answers for what it stands for that it is not available, for as long as it is there', async () => {
    await register('f.example.com', remote('f'));
    const paths = ['/apis/f.example.com/v1', '/apis/f.example.com/v1/namespaces/default/things/a'];
    for (const below of paths) {
      const { code, text, headers } = await admin.get(below);
      expect([code, text, headers['content-type']]).to.deep.equal([
        503,
        'service unavailable\n',
        'text/plain; charset=utf-8',
      ]);
      expect((await server.anonymous.get(below)).code).to.equal(403);
    }
    expect((await admin.get('/apis/f.example.com/v2')).code).to.equal(404);
    await admin.expect('DELETE', `${path}/v1.f.example.com`);
    expect((await admin.get('/apis/f.example.com/v1')).code).to.equal(404);
  });

  it('tells of another service when it names one, and of none when it becomes local', async () => {
    await register('b.example.com', remote('b'));
    await hasReason('b.example.com', 'ServiceNotFound');
    const patch = (spec: object) =>
      admin.expect('PATCH', `${path}/v1.b.example.com`, {
        body: { spec },
        contentType: 'application/merge-patch+json',
      });
    await patch({ service: { name: 'c' } });
    await eventually(async () =>
      (await conditionOf('b.example.com'))?.message.includes('service/c ') ? true : undefined,
    );
    await patch({ service: null, insecureSkipTLSVerify: null });
    expect(await hasReason('b.example.com', 'Local')).to.include({ status: 'True' });
  });

  it('of a name that no service can have is not available', async () => {
    await register('d.example.com', {
      service: { name: '../x', namespace: '..' },
      insecureSkipTLSVerify: true,
    });
    const { message } = await hasReason('d.example.com', 'ServiceNotFound');
    expect(message).to.equal('service/../x in ".." is not present');
  });

  it('has the owners that requests name, none when they name none', async () => {
    await register('e.example.com', remote('e'));
    await hasReason('e.example.com', 'ServiceNotFound');
    const { metadata } = (await admin.get(`${path}/v1.e.example.com`)).body;
    expect(metadata).not.to.have.property('managedFields');
  });
});
