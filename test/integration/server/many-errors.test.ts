import { expect } from 'chai';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

/** More mistakes than a call takes arguments, in less than a body may hold. */
const mistakes = Object.fromEntries(Array.from({ length: 180_000 }, (_, at) => [`/${at}`, '']));

describe('objects with very many mistakes', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  const bodies: readonly (readonly [path: string, body: object])[] = [
    ['configmaps', { kind: 'ConfigMap', data: mistakes }],
    ['services', { kind: 'Service', spec: { ports: [{ port: 80 }], selector: mistakes } }],
    ['podtemplates', { kind: 'PodTemplate', template: { metadata: { labels: mistakes }, spec: {} } }],
  ];
  for (const [path, body] of bodies) {
    it(`are refused: ${path}`, async () => {
      const object = { apiVersion: 'v1', metadata: { name: 'many' }, ...body };
      const { code } = await server.admin.send('POST', `/api/v1/namespaces/default/${path}`, {
        body: object,
      });
      expect(code).to.equal(422);
    });
  }

  it('are refused in place of others', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } };
    const path = '/api/v1/namespaces/default/configmaps';
    await server.admin.expect('POST', path, { body: object });
    const { code } = await server.admin.send('PUT', `${path}/one`, { body: { ...object, data: mistakes } });
    expect(code).to.equal(422);
  });
});
