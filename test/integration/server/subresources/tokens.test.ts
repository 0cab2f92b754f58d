import { expect } from 'chai';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { after, before, describe, it } from 'mocha';
import type { ApiClient } from '../../../support/api-client.ts';
import { inNamespace, pod } from '../../../support/objects.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';

const issuer = 'https://issuer.example.com';
const accounts = inNamespace('default', 'serviceaccounts');
const pods = inNamespace('default', 'pods');
const reviews = '/apis/authentication.orch.io/v1/tokenreviews';
const podRef = (name: string) => ({ kind: 'Pod', apiVersion: 'v1', name });

describe('service account tokens over HTTP', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({
      flags: [`--service-account-issuer=${issuer}`, '--disable-admission-plugins=ServiceAccount'],
    });
    admin = server.admin;
    await admin.create(accounts, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } });
  });
  after(() => server.stop());

  async function requestToken(spec: object = {}): Promise<string> {
    const body = { kind: 'TokenRequest', apiVersion: 'authentication.orch.io/v1', spec };
    return (await admin.create(`${accounts}/robot/token`, body)).status.token as string;
  }

  async function createPod(name: string): Promise<void> {
    const body = pod(name);
    await admin.create(pods, { ...body, spec: { ...body.spec, serviceAccountName: 'robot' } });
  }

  it('let the account act, as itself', async () => {
    const robot = server.withToken(await requestToken());
    expect((await robot.get('/version')).code).to.equal(200);
    const { code, body } = await robot.get(inNamespace('default', 'secrets'));
    expect(code).to.equal(403);
    expect(body.message).to.match(
      /User "system:serviceaccount:default:robot" cannot list resource "secrets"/,
    );
  });

  it('end with the pod that they are bound to', async () => {
    await createPod('bound');
    const token = await requestToken({ boundObjectRef: podRef('bound') });
    const robot = server.withToken(token);
    expect((await robot.get('/version')).code).to.equal(200);
    await admin.expect('DELETE', `${pods}/bound?gracePeriodSeconds=0`);
    expect((await robot.get('/version')).code).to.equal(401);
    const review = await admin.create(reviews, { spec: { token } });
    expect(review.status).to.deep.equal({
      user: {},
      error: '[invalid bearer token, Token has been invalidated]',
    });
  });

  it('are not good for another audience', async () => {
    const token = await requestToken({ audiences: ['vault'] });
    expect((await server.withToken(token).get('/version')).code).to.equal(401);
    const review = await admin.create(reviews, { spec: { token, audiences: ['vault'] } });
    expect(review.status.authenticated).to.equal(true);
    expect(review.status.audiences).to.deep.equal(['vault']);
  });

  it('are refused once changed', async () => {
    const token = await requestToken();
    const at = token.length - 20;
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect((await server.withToken(changed).get('/version')).code).to.equal(401);
  });

  it('can be verified by others with the published keys', async () => {
    const configuration = (await admin.get('/.well-known/openid-configuration')).body;
    expect(configuration.issuer).to.equal(issuer);
    expect(configuration.id_token_signing_alg_values_supported).to.deep.equal(['RS256']);
    const { pathname } = new URL(configuration.jwks_uri);
    const { body, headers } = await admin.get(pathname, { accept: 'application/jwk-set+json' });
    expect(headers['content-type']).to.equal('application/jwk-set+json');
    const keys = createLocalJWKSet(body as Parameters<typeof createLocalJWKSet>[0]);
    const { payload } = await jwtVerify(await requestToken(), keys, { issuer });
    expect(payload.sub).to.equal('system:serviceaccount:default:robot');
    expect((await admin.get(pathname, { accept: 'application/json' })).code).to.equal(406);
  });
});
