import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportJWK, SignJWT } from 'jose';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('an OpenID Connect provider', () => {
  let directory: TemporaryDirectory;
  let provider: WebhookServer;
  let issuer: string;
  let server: TestServer;
  before(async () => {
    directory = await makeTemporaryDirectory();
    const key = { ...(await exportJWK(createPublicKey(privateKey))), kid: '1', use: 'sig' };
    provider = await WebhookServer.start(({ url }, response) => {
      const documents: Readonly<Record<string, object>> = {
        '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys?p=1` },
        '/keys?p=1': { keys: [key] },
      };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(documents[url] ?? {}));
    });
    issuer = provider.url;
    const file = join(directory.path, 'provider.crt');
    await writeFile(file, Buffer.from(provider.caBundle, 'base64'));
    server = await startTestServer({
      flags: [
        `--oidc-issuer-url=${issuer}`,
        '--oidc-client-id=orch',
        `--oidc-ca-file=${file}`,
        '--oidc-groups-claim=roles',
        '--oidc-required-claim=hd=acme',
      ],
    });
  });
  after(async () => {
    await server.stop();
    await provider[Symbol.asyncDispose]();
    await directory.remove();
  });

  const sign = (claims: object = {}) =>
    new SignJWT({ iss: issuer, aud: 'orch', sub: 'bob', hd: 'acme', roles: ['dev'], ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: '1' })
      .setExpirationTime('1h')
      .sign(privateKey);
  const review = async (token: string) =>
    (
      await server.admin.create('/apis/authentication.orch.io/v1/tokenreviews', {
        kind: 'TokenReview',
        apiVersion: 'authentication.orch.io/v1',
        spec: { token },
      })
    ).status;

  it('is asked for nothing before its first token comes', () => {
    expect(provider.calls).to.deep.equal([]);
  });

  it('names users and groups, with the issuer before the name', async () => {
    const { body } = await server.withToken(await sign()).get('/api/v1/nodes');
    expect(body.message).to.contain(`User "${issuer}#bob" cannot list`);
    expect(await review(await sign())).to.deep.equal({
      authenticated: true,
      user: { username: `${issuer}#bob`, groups: ['dev', 'system:authenticated'] },
      audiences: ['https://orch.default.svc'],
    });
    expect(provider.calls.map(({ url }) => url)).to.deep.equal([
      '/.well-known/openid-configuration',
      '/keys?p=1',
    ]);
  });

  it('names nobody by tokens for others', async () => {
    const token = await sign({ aud: 'other' });
    expect((await server.withToken(token).get('/api/v1/nodes')).code).to.equal(401);
    expect((await review(token)).error).to.equal(
      '[invalid bearer token, oidc: verify token: oidc: expected audience "orch" got ["other"]]',
    );
    expect((await review(await sign({ hd: 'x' }))).error).to.contain('required claim hd');
  });
});
