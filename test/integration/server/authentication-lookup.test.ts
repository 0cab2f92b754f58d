import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import { issueCertificate, type KeyPair, makeAuthority } from '../../../src/server/pki/index.ts';
import { ApiClient } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { failureOf } from '../../support/failure.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const lasting = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
const published = '/api/v1/namespaces/orch-system/configmaps/extension-apiserver-authentication';

describe('whom another server says to believe by certificate', () => {
  let directory: TemporaryDirectory;
  let core: TestServer;
  let configFile: string;
  let carol: KeyPair;
  let front: KeyPair;
  let proxies: KeyPair;
  const closing: { close(): void }[] = [];
  const file = (name: string): string => join(directory.path, name);

  before(async () => {
    directory = await makeTemporaryDirectory();
    const users = await makeAuthority({ commonName: 'users', ...lasting });
    proxies = await makeAuthority({ commonName: 'proxies', ...lasting });
    const issue = (authority: KeyPair, commonName: string) =>
      issueCertificate({ authority, subject: { commonName }, usage: 'client', ...lasting });
    [carol, front] = await Promise.all([issue(users, 'carol'), issue(proxies, 'front')]);
    await writeFile(file('users.crt'), users.certificatePem);
    await writeFile(file('proxies.crt'), proxies.certificatePem);
    core = await startTestServer({
      flags: [
        `--client-ca-file=${file('users.crt')}`,
        `--requestheader-client-ca-file=${file('proxies.crt')}`,
        '--requestheader-allowed-names=front',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      ],
    });
    configFile = file('core.orchconfig');
    await saveClientConfig(configFile, core.server.clientConfig);
  });
  after(async () => {
    for (const each of closing) each.close();
    await core?.stop();
    await directory.remove();
  });

  const startBehind = (...flags: string[]): Promise<TestServer> =>
    startTestServer({ flags: [`--authentication-orchconfig=${configFile}`, ...flags] });
  /** Who a request is to a server: the name in its refusal. */
  const who = async ({ server }: TestServer, pair: KeyPair, headers = {}): Promise<string> => {
    const { url, authorityPem } = server;
    const { certificatePem, privateKeyPem: keyPem } = pair;
    const client = new ApiClient({ url, authorityPem, certificatePem, keyPem });
    closing.push(client);
    const { code, body } = await client.send('GET', '/api/v1/nodes', { headers });
    return code === 401 ? 'nobody' : (/User "([^"]+)"/.exec(body.message ?? '')?.[1] ?? String(code));
  };
  const bob = { 'x-remote-user': 'bob', 'x-remote-group': 'devs' };

  it('is believed, users and proxies with the headers that it names', async () => {
    const behind = await startBehind();
    try {
      expect(await who(behind, carol)).to.equal('carol');
      expect(await who(behind, front, bob)).to.equal('bob');
      expect(await who(behind, carol, bob)).to.equal('carol');
      const { data } = await behind.admin.expect('GET', published);
      expect(data['requestheader-username-headers']).to.equal('["X-Remote-User"]');
    } finally {
      await behind.stop();
    }
  });

  it('is followed while the server runs, and as it was when it makes no sense', async () => {
    const behind = await startBehind();
    const { data } = await core.admin.expect('GET', published);
    const change = (entries: object): Promise<unknown> =>
      core.admin.expect('PATCH', published, {
        body: { data: entries },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
    try {
      await change({ 'requestheader-username-headers': '["X-Someone"]' });
      await eventually(async () =>
        (await who(behind, front, { 'x-someone': 'eve' })) === 'eve' ? true : undefined,
      );
      expect(await who(behind, front, bob)).not.to.equal('bob');
      await change({ 'requestheader-username-headers': 'no JSON' });
      await change({ 'requestheader-client-ca-file': 'no PEM', 'requestheader-username-headers': '["X-Y"]' });
      expect(await who(behind, front, { 'x-someone': 'eve' })).to.equal('eve');
      await change(data);
      await eventually(async () => ((await who(behind, front, bob)) === 'bob' ? true : undefined));
    } finally {
      await change(data);
      await behind.stop();
    }
  });

  it('gives way to flags', async () => {
    const others = await makeAuthority({ commonName: 'others', ...lasting });
    await writeFile(file('others.crt'), others.certificatePem);
    const behind = await startBehind(
      `--requestheader-client-ca-file=${file('others.crt')}`,
      '--requestheader-username-headers=X-Remote-User',
    );
    try {
      expect(await who(behind, front, bob)).to.equal('nobody');
      expect(await who(behind, carol)).to.equal('carol');
    } finally {
      await behind.stop();
    }
  });

  it('is not asked for with --authentication-skip-lookup', async () => {
    const behind = await startBehind('--authentication-skip-lookup');
    try {
      expect(await who(behind, front, bob)).to.equal('nobody');
      expect(await who(behind, carol)).to.equal('nobody');
    } finally {
      await behind.stop();
    }
  });

  it('must be there at the start, unless that is tolerated', async () => {
    const away = file('away.orchconfig');
    const clusters = new Map([['c', { server: 'https://127.0.0.1:1' }]]);
    const contexts = new Map([['x', { cluster: 'c', user: 'u' }]]);
    const users = new Map([['u', { token: 't' }]]);
    await saveClientConfig(away, { clusters, contexts, users, currentContext: 'x' });
    const flags = [`--authentication-orchconfig=${away}`];
    const failure = await failureOf(startTestServer({ flags }));
    expect(failure.message).to.match(
      /^--authentication-orchconfig: unable to load configmap based request-header-client-ca-file: .*connect: connection refused/,
    );
    const behind = await startTestServer({ flags: [...flags, '--authentication-tolerate-lookup-failure'] });
    expect(await who(behind, carol)).to.equal('nobody');
    await behind.stop();
    await rm(away);
    expect((await failureOf(startTestServer({ flags }))).message).to.match(
      /^--authentication-orchconfig: .*away/,
    );
  });
});
