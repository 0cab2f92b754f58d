import { expect } from 'chai';
import { compactVerify } from 'jose';
import { decideSignatures, signDetached } from '../../../src/controllers/bootstrap/sign-cluster-info.ts';
import { remainingMs, signingTokenOf } from '../../../src/controllers/bootstrap/tokens.ts';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64');
const secretOf = (data: Record<string, string>, name = 'bootstrap-token-abcdef') => ({
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encode(value)])),
});
const usual = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true' };
const token = { id: 'abcdef', secret: '0123456789abcdef' };
const keys = { content: 'orchconfig', signaturePrefix: 'jws-orchconfig-' };

/** Who has the token and the text finds the signature right. */
async function isSignedBy(content: string, signature: string, secret: string): Promise<boolean> {
  const whole = signature.replace('..', `.${Buffer.from(content).toString('base64url')}.`);
  return compactVerify(whole, new TextEncoder().encode(secret)).then(
    () => true,
    () => false,
  );
}

describe('signatures of the information for joining nodes', () => {
  it('verify with the token, and with no other or for another text', async () => {
    const signature = signDetached('text', token);
    expect(Buffer.from(signature.split('.')[0] ?? '', 'base64url').toString()).to.equal(
      '{"alg":"HS256","kid":"abcdef"}',
    );
    expect(await isSignedBy('text', signature, token.secret)).to.equal(true);
    expect(await isSignedBy('text', signature, 'fedcba9876543210')).to.equal(false);
    expect(await isSignedBy('other', signature, token.secret)).to.equal(false);
  });

  it('are made for each token, and go with it; other entries stay', () => {
    const data = { orchconfig: 'text', more: 'x', 'jws-orchconfig-gone00': 'old' };
    const signed = decideSignatures(data, [token], keys);
    expect(signed).to.deep.equal({
      orchconfig: 'text',
      more: 'x',
      'jws-orchconfig-abcdef': signDetached('text', token),
    });
    expect(decideSignatures(signed ?? {}, [token], keys)).to.equal(undefined);
    expect(decideSignatures({ more: 'x' }, [token], keys)).to.equal(undefined);
  });

  const nowMs = Date.parse('2020-06-01T00:00:00Z');
  const secrets: readonly [string, ReturnType<typeof secretOf>, boolean][] = [
    ['that may', secretOf(usual), true],
    ['that ends later', secretOf({ ...usual, expiration: '2020-06-01T00:00:01Z' }), true],
    ['that has expired', secretOf({ ...usual, expiration: '2020-06-01T00:00:00Z' }), false],
    ['whose end is no time', secretOf({ ...usual, expiration: 'soon' }), false],
    ['for authentication only', secretOf({ ...usual, 'usage-bootstrap-signing': 'false' }), false],
    ['without a secret', secretOf({ ...usual, 'token-secret': '' }), false],
    ['of another name', secretOf(usual, 'bootstrap-token-000000'), false],
  ];
  for (const [what, secret, may] of secrets) {
    it(`are ${may ? '' : 'not '}made with a token ${what}`, () =>
      expect(signingTokenOf(secret, nowMs)).to.deep.equal(may ? token : undefined));
  }

  it('know how long a token counts', () => {
    const left = (expiration: string) => remainingMs(secretOf({ ...usual, expiration }), nowMs);
    expect([left(''), left('2020-06-01T00:01:00Z'), left('x')]).to.deep.equal([undefined, 60_000, 0]);
  });
});

describe('controllers of bootstrap tokens', () => {
  let server: TestServer;
  let admin: ApiClient;
  const secrets = '/api/v1/namespaces/orch-system/secrets';
  const info = '/api/v1/namespaces/orch-public/configmaps';
  before(async () => {
    server = await startTestServer({ flags: ['--controllers=bootstrapsigner,tokencleaner'] });
    admin = server.admin;
    await admin.create('/api/v1/namespaces', { metadata: { name: 'orch-public' } }).catch(() => undefined);
  });
  after(() => server.stop());

  const create = (id: string, expiresInMs: number): Promise<JsonObject> =>
    admin.create(secrets, {
      ...secretOf(
        {
          ...usual,
          'token-id': id,
          expiration: new Date(Date.now() + expiresInMs).toISOString().replace(/\.\d+/, ''),
        },
        `bootstrap-token-${id}`,
      ),
      type: 'bootstrap.orch.io/token',
    });

  it('sign for tokens while they are there, and remove those that have expired', async () => {
    await admin.create(info, { metadata: { name: 'cluster-info' }, data: { orchconfig: 'text' } });
    await create('longer', 3_600_000);
    await create('brief0', 2000);
    const signed = await eventually(async () => {
      const { data } = await admin.expect('GET', `${info}/cluster-info`);
      return data['jws-orchconfig-longer'] === undefined ? undefined : data;
    });
    const expected = signDetached('text', { id: 'longer', secret: token.secret });
    expect(signed['jws-orchconfig-longer']).to.equal(expected);
    await eventually(async () => {
      const { code } = await admin.get(`${secrets}/bootstrap-token-brief0`);
      return code === 404 ? true : undefined;
    });
    await eventually(async () => {
      const { data } = await admin.expect('GET', `${info}/cluster-info`);
      return data['jws-orchconfig-brief0'] === undefined ? true : undefined;
    });
    expect((await admin.get(`${secrets}/bootstrap-token-longer`)).code).to.equal(200);
  });
});
