import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

const maps = inNamespace('default', 'configmaps');

describe('authorization mode Webhook', () => {
  let directory: TemporaryDirectory;
  let webhook: WebhookServer;
  let server: TestServer | undefined;
  let status: object;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    status = { allowed: true };
    webhook = await WebhookServer.start((call, response) => {
      const { spec: _, ...review } = JSON.parse(call.body);
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ...review, status }));
    });
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await webhook[Symbol.asyncDispose]();
    await directory.remove();
  });

  const start = async (modes: string, path = '/authorize'): Promise<TestServer> => {
    const file = join(directory.path, 'webhook.conf');
    const config = {
      clusters: [
        {
          name: 'c',
          cluster: { server: webhook.url + path, 'certificate-authority-data': webhook.caBundle },
        },
      ],
      users: [{ name: 'u', user: { token: 'server-token' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(file, JSON.stringify(config));
    const flags = [`--authorization-mode=${modes}`, `--authorization-webhook-config-file=${file}`];
    server = await startTestServer({ flags });
    return server;
  };

  it('is asked who may do what, and makes itself known', async () => {
    const user = (await start('RBAC,Webhook')).withToken(tokens.alice);
    expect((await user.get(maps)).code).to.equal(200);
    const [call] = webhook.calls;
    expect([call?.url, call?.headers.authorization]).to.deep.equal([
      '/authorize?timeout=30s',
      'Bearer server-token',
    ]);
    expect(JSON.parse(call?.body ?? '').spec).to.deep.include({ user: 'alice' });
    // What the other mode allows is not asked for, nor what was asked a moment ago.
    expect((await user.get('/healthz')).code).to.equal(200);
    expect((await user.get(maps)).code).to.equal(200);
    expect(webhook.calls).to.have.length(1);
  });

  it('denies what later modes would allow', async () => {
    status = { allowed: false, denied: true, reason: 'never' };
    const { admin, withToken } = await start('Webhook,RBAC');
    const { code, body } = await withToken(tokens.alice).get('/healthz');
    expect([code, body.message]).to.deep.equal([
      403,
      'forbidden: User "alice" cannot get path "/healthz": never',
    ]);
    expect((await admin.get(maps)).code).to.equal(200);
  });

  it('lets nobody in when it fails, and says why', async () => {
    webhook.answer = (_call, response) =>
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end('<no>');
    const user = (await start('Webhook')).withToken(tokens.alice);
    const { code, text } = await user.send('GET', `${maps}?limit=1`);
    expect(code).to.equal(500);
    expect(text).to.equal(`Internal Server Error: "${maps}?limit=1": &lt;no&gt;\n`);
    const created = await user.send('PUT', `${maps}/new`, {
      body: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'new' } },
    });
    expect(created.code).to.equal(500);
  });

  it('leaves it to the next mode when it fails', async () => {
    webhook.answer = (_call, response) => response.writeHead(400).end();
    const user = (await start('Webhook,RBAC')).withToken(tokens.alice);
    expect((await user.get('/healthz')).code).to.equal(200);
    expect((await user.get(maps)).code).to.equal(500);
  });

  it('keeps the server from starting without a file that says where it is', async () => {
    const failure = await startTestServer({
      flags: ['--authorization-mode=Webhook', '--authorization-webhook-config-file=/nowhere'],
    }).catch((error: Error) => error);
    expect(String(failure)).to.match(/--authorization-webhook-config-file: \/nowhere: /);
  });
});
