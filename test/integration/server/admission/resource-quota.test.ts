import { expect } from 'chai';
import type { ApiClient } from '../../../support/api-client.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';

interface Quota {
  readonly status: { readonly used: Readonly<Record<string, string>> };
}

describe('quotas', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  const inNamespace = (namespace: string, resource: string) => `/api/v1/namespaces/${namespace}/${resource}`;

  /** A namespace with a quota whose usage is known to be none. */
  async function bounded(namespace: string, ...hards: Record<string, string>[]): Promise<void> {
    await admin.expect('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
    for (const [index, hard] of hards.entries()) {
      const path = inNamespace(namespace, 'resourcequotas');
      const body = { metadata: { name: `q${index}` }, spec: { hard } };
      const quota = await admin.expect('POST', path, { body });
      const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
      await admin.expect('PUT', `${path}/q${index}/status`, { body: { ...quota, status: { hard, used } } });
    }
  }

  async function usedOf(namespace: string, name = 'q0') {
    const { body } = await admin.send('GET', `${inNamespace(namespace, 'resourcequotas')}/${name}`);
    return (body as unknown as Quota).status.used; // the answer for a quota with a status
  }

  it('are not overshot by 64 who create at once', async () => {
    await bounded('crowd', { 'count/configmaps': '20' }, { configmaps: '40' });
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        admin.send('POST', inNamespace('crowd', 'configmaps'), { body: { metadata: { name: `c${index}` } } }),
      ),
    );
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === 201)).to.have.length(20);
    expect(codes.filter((code) => code === 403)).to.have.length(44);
    const { items } = await admin.expect('GET', inNamespace('crowd', 'configmaps'));
    expect(items).to.have.length(20);
    expect(await usedOf('crowd')).to.deep.equal({ 'count/configmaps': '20' });
    expect(await usedOf('crowd', 'q1')).to.deep.equal({ configmaps: '20' });
  });

  it('are not overshot while somebody else writes their status', async () => {
    await bounded('race', { configmaps: '10' });
    const path = `${inNamespace('race', 'resourcequotas')}/q0`;
    const touch = {
      body: { metadata: { labels: { touched: 'x' } } },
      contentType: 'application/merge-patch+json',
    };
    const work = Array.from({ length: 40 }, (_, index) =>
      index % 4 === 0
        ? admin.send('PATCH', path, touch)
        : admin.send('POST', inNamespace('race', 'configmaps'), {
            body: { metadata: { name: `c${index}` } },
          }),
    );
    const created = (await Promise.all(work)).filter(({ code }) => code === 201);
    expect(created).to.have.length(10);
    expect(await usedOf('race')).to.deep.equal({ configmaps: '10' });
  });

  it('charge nothing for a dry run, and refuse it when they are full', async () => {
    await bounded('dry', { secrets: '1' });
    const secrets = inNamespace('dry', 'secrets');
    const dryRun = () => admin.send('POST', `${secrets}?dryRun=All`, { body: { metadata: { name: 's' } } });
    expect((await dryRun()).code).to.equal(201);
    expect(await usedOf('dry')).to.deep.equal({ secrets: '0' });
    await admin.expect('POST', secrets, { body: { metadata: { name: 't' } } });
    expect((await dryRun()).code).to.equal(403);
  });

  it('charge a service for what it becomes', async () => {
    await bounded('services', { 'services.nodeports': '1' });
    const services = inNamespace('services', 'services');
    const ports = [{ port: 80 }];
    const body = { metadata: { name: 's' }, spec: { ports } };
    await admin.expect('POST', services, { body });
    const asNodePort = { body: { spec: { type: 'NodePort' } }, contentType: 'application/merge-patch+json' };
    await admin.expect('PATCH', `${services}/s`, asNodePort);
    expect(await usedOf('services')).to.deep.equal({ 'services.nodeports': '1' });
    const another = { metadata: { name: 't' }, spec: { ports, type: 'NodePort' } };
    const { code } = await admin.send('POST', services, { body: another });
    expect(code).to.equal(403);
  });

  it('are never charged for a quota that is turned away itself', async () => {
    await bounded('quotas', { resourcequotas: '1' });
    const path = inNamespace('quotas', 'resourcequotas');
    const spec = { hard: { pods: '1' } };
    await admin.expect('POST', path, { body: { metadata: { name: 'more' }, spec } });
    const refused = await admin.send('POST', path, { body: { metadata: { name: 'most' }, spec } });
    expect(refused.code).to.equal(403);
    expect(await usedOf('quotas')).to.deep.equal({ resourcequotas: '1' });
  });
});
