import { createPublicKey, verify } from 'node:crypto';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const type = 'orch.io/service-account-token';
const namespace = '/api/v1/namespaces/default';
const decode = (text: string): string => Buffer.from(text, 'base64').toString();

describe('tokens of service accounts in secrets', () => {
  let server: TestServer;
  let admin: ApiClient;

  before(async () => {
    server = await startTestServer({ flags: ['--controllers=serviceaccount,serviceaccount-token'] });
    admin = server.admin;
  });
  after(() => server.stop());

  const read = async (path: string): Promise<JsonObject | undefined> => {
    const { code, body } = await admin.get(`${namespace}/${path}`);
    return code === 200 ? body : undefined;
  };
  /** The account and its first token secret, once both are there. */
  const tokenOf = (name: string, isGood: (secret: JsonObject) => boolean = () => true): Promise<JsonObject> =>
    eventually(async () => {
      const account = await read(`serviceaccounts/${name}`);
      const secret = account?.secrets?.[0] && (await read(`secrets/${account.secrets[0].name}`));
      return secret && isGood(secret) ? { account, secret } : undefined;
    });
  const create = (name: string): Promise<JsonObject> =>
    admin.create(`${namespace}/serviceaccounts`, { metadata: { name } });
  const filled = (name: string): Promise<JsonObject> =>
    eventually(async () => {
      const secret = await read(`secrets/${name}`);
      return secret?.data?.token ? secret : undefined;
    });
  const createSecret = (name: string, annotations: JsonObject, data: JsonObject = {}): Promise<JsonObject> =>
    admin.create(`${namespace}/secrets`, { metadata: { name, annotations }, type, data });
  const isGone = (path: string): Promise<true> =>
    eventually(async () => ((await read(path)) === undefined ? true : undefined));

  it('are made for each account, with the authority and the namespace', async () => {
    await create('maker');
    const { account, secret } = await tokenOf('maker');
    expect(account.secrets).to.have.length(1);
    expect(secret.type).to.equal(type);
    expect(secret.metadata.name).to.match(/^maker-token-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(secret.metadata.annotations).to.deep.equal({
      'orch.io/service-account.name': 'maker',
      'orch.io/service-account.uid': account.metadata.uid,
    });
    expect(Object.keys(secret.data).sort()).to.deep.equal(['ca.crt', 'namespace', 'token']);
    expect(decode(secret.data['ca.crt'])).to.equal(server.server.authorityPem);
    expect(decode(secret.data.namespace)).to.equal('default');
  });

  it('say for whom and where they are, signed with the key of the server', async () => {
    await create('signed');
    const { account, secret } = await tokenOf('signed');
    const [header = '', claims = '', signature = ''] = decode(secret.data.token).split('.');
    const parse = (part: string): JsonObject => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(parse(claims)).to.deep.equal({
      iss: 'orch/serviceaccount',
      'orch.io/serviceaccount/namespace': 'default',
      'orch.io/serviceaccount/secret.name': secret.metadata.name,
      'orch.io/serviceaccount/service-account.name': 'signed',
      'orch.io/serviceaccount/service-account.uid': account.metadata.uid,
      sub: 'system:serviceaccount:default:signed',
    });
    const { keys } = await admin.expect('GET', '/openid/v1/jwks');
    const jwk = keys.find(({ kid }: JsonObject) => kid === parse(header).kid);
    const signed = Buffer.from(`${header}.${claims}`);
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).to.equal(true);
  });

  it('are filled into secrets that name an account, and filled again', async () => {
    const { metadata } = await create('named');
    await createSecret('mine', { 'orch.io/service-account.name': 'named' });
    const secret = await filled('mine');
    expect(secret.metadata.annotations['orch.io/service-account.uid']).to.equal(metadata.uid);
    await admin.expect('PATCH', `${namespace}/secrets/mine`, {
      contentType: 'application/merge-patch+json',
      body: { data: { token: null, namespace: 'eA==', extra: 'eQ==' } },
    });
    const again = await filled('mine');
    expect(decode(again.data.namespace)).to.equal('default');
    expect(again.data.extra).to.equal('eQ==');
    const { secrets } = (await read('serviceaccounts/named')) ?? {};
    expect(secrets.map(({ name }: JsonObject) => name)).not.to.include('mine');
  });

  it('go with their account, and with one of the same name before', async () => {
    await create('leaver');
    const { secret } = await tokenOf('leaver');
    await createSecret('second', { 'orch.io/service-account.name': 'leaver' });
    await filled('second');
    await admin.expect('DELETE', `${namespace}/serviceaccounts/leaver`);
    await isGone(`secrets/${secret.metadata.name}`);
    await isGone('secrets/second');
    await create('leaver');
    const uid = '00000000-0000-0000-0000-000000000000';
    await createSecret('stale', {
      'orch.io/service-account.name': 'leaver',
      'orch.io/service-account.uid': uid,
    });
    await isGone('secrets/stale');
    await createSecret('nobody', { 'orch.io/service-account.name': 'nobody' });
    await isGone('secrets/nobody');
  });

  it('are made again when they are deleted, and the account forgets the old one', async () => {
    await create('loser');
    const { secret } = await tokenOf('loser');
    const old = secret.metadata.name;
    await admin.expect('DELETE', `${namespace}/secrets/${old}`);
    const { account } = await tokenOf('loser', ({ metadata }) => metadata.name !== old);
    expect(account.secrets).to.have.length(1);
    expect(account.secrets[0].name).not.to.equal(old);
  });

  it('are one for each account, however often it changes', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `many-${at}`);
    await Promise.all(names.map(create));
    for (const name of names) {
      await admin.expect('PATCH', `${namespace}/serviceaccounts/${name}`, {
        contentType: 'application/merge-patch+json',
        body: { metadata: { labels: { changed: 'yes' } } },
      });
    }
    const accounts = await Promise.all(names.map((name) => tokenOf(name)));
    expect(accounts.map(({ account }) => account.secrets.length)).to.deep.equal(names.map(() => 1));
    const all = await admin.expect('GET', `${namespace}/secrets`);
    const made = all.items.filter(({ metadata }: JsonObject) => metadata.name.startsWith('many-'));
    expect(made).to.have.length(names.length);
  });

  it('leave other secrets of an account alone', async () => {
    await admin.create(`${namespace}/secrets`, { metadata: { name: 'pull' } });
    await admin.create(`${namespace}/serviceaccounts`, {
      metadata: { name: 'owner' },
      secrets: [{ name: 'pull' }, { name: 'not-there' }],
    });
    const account = await eventually(async () => {
      const found = await read('serviceaccounts/owner');
      return found?.secrets.length === 3 ? found : undefined;
    });
    expect(account.secrets.slice(0, 2)).to.deep.equal([{ name: 'pull' }, { name: 'not-there' }]);
  });
});
