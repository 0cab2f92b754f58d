import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

describe('the controller of nodes', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ flags: ['--controllers=nodelifecycle'] });
  });
  after(() => server.stop());

  it('takes the taint of a new node away when it is ready', async () => {
    const nodes = '/api/v1/nodes';
    const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
    await server.admin.create(nodes, body);
    await server.admin.expect('PATCH', `${nodes}/n/status`, {
      body: { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      contentType: 'application/merge-patch+json',
    });
    await eventually(async () => {
      const { spec } = await server.admin.expect('GET', `${nodes}/n`);
      return spec.taints === undefined ? spec : undefined;
    });
  });
});
