import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { issueCertificate, type KeyPair, makeAuthority } from '../../../src/server/pki/index.ts';
import { ApiClient, type JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';

const lasting = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
const path = '/api/v1/namespaces/default/secrets';
const remote = { 'x-remote-user': 'bob', 'x-remote-group': ['a', 'b'], 'x-remote-extra-acme.com%2Fkey': 'v' };

describe('authenticating proxies', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let proxyAuthority: KeyPair;
  let clients: Readonly<Record<string, ApiClient>>;
  before(async () => {
    directory = await makeTemporaryDirectory();
    const file = (name: string) => join(directory.path, name);
    const [own, proxies, others] = await Promise.all(
      ['users', 'proxies', 'others'].map((commonName) => makeAuthority({ commonName, ...lasting })),
    );
    if (own === undefined || proxies === undefined || others === undefined) throw new Error('no authorities');
    proxyAuthority = proxies;
    await writeFile(file('users.crt'), `${others.certificatePem.trim()}\n${own.certificatePem}`);
    await writeFile(file('proxies.crt'), proxies.certificatePem);
    const issue = (authority: KeyPair, commonName: string) =>
      issueCertificate({ authority, subject: { commonName }, usage: 'client', ...lasting });
    const front = await issue(proxies, 'front');
    await writeFile(file('front.crt'), front.certificatePem);
    await writeFile(file('front.key'), front.privateKeyPem);
    server = await startTestServer({
      flags: [
        `--client-ca-file=${file('users.crt')}`,
        `--requestheader-client-ca-file=${file('proxies.crt')}`,
        '--requestheader-allowed-names=front',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        `--proxy-client-cert-file=${file('front.crt')}`,
        `--proxy-client-key-file=${file('front.key')}`,
        `--audit-log-path=${file('audit.log')}`,
      ],
    });
    const { url, authorityPem } = server.server;
    const clientOf = ({ certificatePem, privateKeyPem: keyPem }: KeyPair, token?: string) =>
      new ApiClient({ url, authorityPem, certificatePem, keyPem, token });
    clients = {
      front: clientOf(front),
      frontWithToken: clientOf(front, tokens.alice),
      stranger: clientOf(await issue(proxies, 'stranger')),
      carol: clientOf(await issue(own, 'carol')),
      falseFront: clientOf(await issue(own, 'front')),
    };
  });
  after(async () => {
    for (const client of Object.values(clients)) client.close();
    await server.stop();
    await directory.remove();
  });

  const get = async (name: string, headers: typeof remote | undefined) => {
    const answer = await clients[name]?.get(path, headers);
    if (answer === undefined) throw new Error(`no client ${name}`);
    return answer;
  };
  const userIn = (message: string) => /User "([^"]*)"/.exec(message)?.[1] ?? message;

  const cases: readonly (readonly [client: string, headers: typeof remote | undefined, user: string])[] = [
    ['front', remote, 'bob'],
    ['frontWithToken', remote, 'bob'],
    ['frontWithToken', undefined, 'alice'],
    ['front', undefined, 'Unauthorized'],
    ['stranger', remote, 'Unauthorized'],
    ['stranger', undefined, 'Unauthorized'],
    ['carol', remote, 'carol'],
    ['falseFront', remote, 'front'],
  ];
  for (const [client, headers, user] of cases) {
    it(`make ${user} of what ${client} sends ${headers === undefined ? 'without' : 'with'} headers`, async () => {
      expect(userIn((await get(client, headers)).body.message)).to.equal(user);
    });
  }

  it('say nothing without a certificate', async () => {
    const { body } = await server.anonymous.get(path, remote);
    expect(userIn(body.message)).to.equal('system:anonymous');
  });

  it('bring groups and extra values, which the audit log has', async () => {
    const { headers } = await get('front', remote);
    const event = await eventually(async () => {
      const lines = (await readFile(join(directory.path, 'audit.log'), 'utf8')).split('\n').slice(0, -1);
      return lines
        .map((line): JsonObject => JSON.parse(line))
        .find(({ auditID }) => auditID === headers['audit-id']);
    });
    expect(event.user).to.deep.equal({
      username: 'bob',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { 'acme.com/key': ['v'] },
    });
  });

  it('are published, with the authorities of users, for servers of other API groups', async () => {
    const { body } = await server.admin.get(
      '/api/v1/namespaces/orch-system/configmaps/extension-apiserver-authentication',
    );
    const { 'client-ca-file': authorities, ...entries } = body.data;
    expect(entries).to.deep.equal({
      'requestheader-allowed-names': '["front"]',
      'requestheader-client-ca-file': proxyAuthority.certificatePem,
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-username-headers': '["X-Remote-User"]',
    });
    expect(authorities.match(/^-----BEGIN CERTIFICATE-----$/gm)).to.have.length(3);
  });
});
