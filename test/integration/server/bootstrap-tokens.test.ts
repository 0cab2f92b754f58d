import { expect } from 'chai';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const secrets = '/api/v1/namespaces/orch-system/secrets';
const reviews = '/apis/authentication.orch.io/v1/tokenreviews';
const token = 'abc123.0123456789abcdef';

const secret = {
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name: 'bootstrap-token-abc123' },
  type: 'bootstrap.orch.io/token',
  stringData: {
    'token-id': 'abc123',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': 'system:bootstrappers:nodes',
  },
};

describe('bootstrap tokens', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ flags: ['--enable-bootstrap-token-auth'] });
  });
  after(() => server.stop());

  const ask = () => server.withToken(token).get('/api/v1/nodes');

  it('let their user in from when their secret is there until it is deleted', async () => {
    expect((await ask()).code).to.equal(401);
    await server.admin.create(secrets, secret);
    const { code, body } = await ask();
    expect([code, body.message]).to.deep.equal([
      403,
      'nodes is forbidden: User "system:bootstrap:abc123" cannot list resource "nodes" in API group "" at the cluster scope',
    ]);
    const review = await server.admin.create(reviews, {
      kind: 'TokenReview',
      apiVersion: 'authentication.orch.io/v1',
      spec: { token },
    });
    expect(review.status).to.deep.equal({
      authenticated: true,
      user: {
        username: 'system:bootstrap:abc123',
        groups: ['system:bootstrappers', 'system:bootstrappers:nodes', 'system:authenticated'],
      },
      audiences: ['https://orch.default.svc'],
    });
    await server.admin.expect('DELETE', `${secrets}/bootstrap-token-abc123`);
    expect((await ask()).code).to.equal(401);
  });

  it('let nobody in where they are off, as they are unless a flag says so', async () => {
    const other = await startTestServer();
    try {
      await other.admin.create(secrets, secret);
      expect((await other.withToken(token).get('/api/v1/nodes')).code).to.equal(401);
    } finally {
      await other.stop();
    }
  });
});
