import { expect } from 'chai';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const services = '/api/v1/namespaces/default/services';
const endpoints = '/api/v1/namespaces/default/endpoints';
const service = (name: string, finalizers: readonly string[]) => ({
  metadata: { name, finalizers },
  spec: { ports: [{ port: 80 }] },
});

describe('the endpoints of a service', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  for (const finalizers of [[], ['example.com/held']]) {
    const held = finalizers.length > 0;
    it(`go with the first deletion of the service${held ? ', which finalizers hold' : ''}`, async () => {
      const { admin } = server;
      const name = held ? 'held' : 'free';
      await admin.create(services, service(name, finalizers));
      await admin.create(endpoints, { metadata: { name } });
      expect((await admin.send('DELETE', `${services}/${name}?dryRun=All`)).code).to.equal(200);
      expect((await admin.get(`${endpoints}/${name}`)).code, 'after a dry run').to.equal(200);
      const { code, body } = await admin.send('DELETE', `${services}/${name}`);
      expect([code, body.kind, body.status]).to.deep.equal([200, 'Status', 'Success']);
      expect((await admin.get(`${endpoints}/${name}`)).code).to.equal(404);
      expect((await admin.get(`${services}/${name}`)).code).to.equal(held ? 200 : 404);
    });
  }

  it('need not be there', async () => {
    await server.admin.create(services, service('bare', []));
    expect((await server.admin.send('DELETE', `${services}/bare`)).code).to.equal(200);
  });
});
