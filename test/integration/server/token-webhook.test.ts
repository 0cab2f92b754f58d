import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

const path = '/api/v1/nodes';
const forbidden = (user: string) =>
  `nodes is forbidden: User "${user}" cannot list resource "nodes" in API group "" at the cluster scope`;

describe('the token webhook', () => {
  let directory: TemporaryDirectory;
  let webhook: WebhookServer;
  let server: TestServer;
  before(async () => {
    directory = await makeTemporaryDirectory();
    webhook = await WebhookServer.start((call, response) => {
      const { spec, ...review } = JSON.parse(call.body);
      const authenticated = spec.token.startsWith('good');
      const status = authenticated ? { authenticated, user: { username: 'bob', groups: ['g'] } } : {};
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ...review, status }));
    });
    const file = join(directory.path, 'webhook.conf');
    const cluster = { server: `${webhook.url}/tokens`, 'certificate-authority-data': webhook.caBundle };
    await writeFile(
      file,
      JSON.stringify({
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user: { token: 'server-token' } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );
    server = await startTestServer({ flags: [`--authentication-token-webhook-config-file=${file}`] });
  });
  after(async () => {
    await server.stop();
    await webhook[Symbol.asyncDispose]();
    await directory.remove();
  });

  it('is asked about tokens that nobody here knows, and makes itself known', async () => {
    expect((await server.withToken('good-1').get(path)).body.message).to.equal(forbidden('bob'));
    const [call] = webhook.calls;
    expect([call?.url, call?.headers.authorization]).to.deep.equal([
      '/tokens?timeout=30s',
      'Bearer server-token',
    ]);
    const { apiVersion, spec } = JSON.parse(call?.body ?? '');
    expect([apiVersion, spec]).to.deep.equal([
      'authentication.orch.io/v1beta1',
      { token: 'good-1', audiences: ['https://orch.default.svc'] },
    ]);
    expect((await server.withToken('bad-1').get(path)).code).to.equal(401);
  });

  it('is not asked about others', async () => {
    const before = webhook.calls.length;
    expect((await server.withToken(tokens.alice).get(path)).body.message).to.equal(forbidden('alice'));
    expect((await server.anonymous.get(path)).body.message).to.equal(forbidden('system:anonymous'));
    expect(webhook.calls).to.have.length(before);
  });

  it('is asked by reviews of tokens too', async () => {
    const { status } = await server.admin.create('/apis/authentication.orch.io/v1/tokenreviews', {
      kind: 'TokenReview',
      apiVersion: 'authentication.orch.io/v1',
      spec: { token: 'good-2' },
    });
    expect(status).to.deep.equal({
      authenticated: true,
      user: { username: 'bob', groups: ['g', 'system:authenticated'] },
      audiences: ['https://orch.default.svc'],
    });
  });
});
