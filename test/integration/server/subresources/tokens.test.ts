import { assert } from 'chai';
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
    assert.equal((await robot.get('/version')).code, 200);
    const { code, body } = await robot.get(inNamespace('default', 'secrets'));
    assert.equal(code, 403);
    assert.match(body.message, /User "system:serviceaccount:default:robot" cannot list resource "secrets"/);
  });

  it('end with the pod that they are bound to', async () => {
    await createPod('bound');
    const token = await requestToken({ boundObjectRef: podRef('bound') });
    const robot = server.withToken(token);
    assert.equal((await robot.get('/version')).code, 200);
    await admin.expect('DELETE', `${pods}/bound?gracePeriodSeconds=0`);
    assert.equal((await robot.get('/version')).code, 401);
    const review = await admin.create(reviews, { spec: { token } });
    assert.deepEqual(review.status, {
      user: {},
      error: '[invalid bearer token, Token has been invalidated]',
    });
  });

  it('are not good for another audience', async () => {
    const token = await requestToken({ audiences: ['vault'] });
    assert.equal((await server.withToken(token).get('/version')).code, 401);
    const review = await admin.create(reviews, { spec: { token, audiences: ['vault'] } });
    assert.equal(review.status.authenticated, true);
    assert.deepEqual(review.status.audiences, ['vault']);
  });

  it('are refused once changed', async () => {
    const token = await requestToken();
    const at = token.length - 20;
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    assert.equal((await server.withToken(changed).get('/version')).code, 401);
  });

  it('can be verified by others with the published keys', async () => {
    const configuration = (await admin.get('/.well-known/openid-configuration')).body;
    assert.equal(configuration.issuer, issuer);
    assert.deepEqual(configuration.id_token_signing_alg_values_supported, ['RS256']);
    const { pathname } = new URL(configuration.jwks_uri);
    const { body, headers } = await admin.get(pathname, { accept: 'application/jwk-set+json' });
    assert.equal(headers['content-type'], 'application/jwk-set+json');
    const keys = createLocalJWKSet(body as Parameters<typeof createLocalJWKSet>[0]);
    const { payload } = await jwtVerify(await requestToken(), keys, { issuer });
    assert.equal(payload.sub, 'system:serviceaccount:default:robot');
    assert.equal((await admin.get(pathname, { accept: 'application/json' })).code, 406);
  });
});
