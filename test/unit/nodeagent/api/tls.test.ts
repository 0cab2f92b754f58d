import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/index.ts';
import type { ServingPair } from '../../../../src/nodeagent/api/index.ts';
import { makeSelfSignedPair } from '../../../../src/nodeagent/api/tls/self-signed.ts';
import { openServingPair } from '../../../../src/nodeagent/api/tls/serving-pair.ts';
import { tlsSettings } from '../../../../src/nodeagent/api/tls/tls-material.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

const nowMs = Date.parse('2026-11-21T10:00:00Z');
const chainOf = (pem: string): X509Certificate[] =>
  pem
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter((part) => part !== '')
    .map((part) => new X509Certificate(part));

describe('makeSelfSignedPair', () => {
  let pair: ServingPair;
  before(async () => {
    pair = await makeSelfSignedPair('node1', nowMs);
  });

  it('makes a chain of a serving certificate and its authority', () => {
    const [leaf, authority, ...others] = chainOf(pair.certificatePem);
    if (leaf === undefined || authority === undefined) throw new Error('no chain');
    expect(others).to.deep.equal([]);
    const stamp = nowMs / 1000;
    expect([leaf.subject, leaf.issuer]).to.deep.equal([`CN=node1@${stamp}`, `CN=node1-ca@${stamp}`]);
    expect([authority.subject, authority.issuer]).to.deep.equal([leaf.issuer, leaf.issuer]);
    expect(leaf.verify(authority.publicKey) && leaf.checkIssued(authority)).to.equal(true);
    expect(authority.verify(authority.publicKey) && authority.ca).to.equal(true);
    expect(leaf.ca).to.equal(false);
    expect(leaf.subjectAltName).to.equal('DNS:node1');
    expect(leaf.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
    expect(leaf.publicKey.asymmetricKeyType).to.equal('rsa');
    expect(leaf.validFromDate.getTime()).to.equal(nowMs - 3_600_000);
    expect(leaf.validToDate.getTime()).to.equal(nowMs + 365 * 86_400_000);
  });

  const addresses = [
    ['192.0.2.7', 'IP Address:192.0.2.7'],
    ['fd00::2', 'IP Address:FD00:0:0:0:0:0:0:2'],
  ] as const;
  for (const [host, name] of addresses) {
    it(`names ${host} as an address`, async () => {
      const [leaf] = chainOf((await makeSelfSignedPair(host, nowMs)).certificatePem);
      expect(leaf?.subjectAltName).to.equal(name);
    });
  }
});

describe('openServingPair', () => {
  const open = (config: Partial<Parameters<typeof openServingPair>[0]['config']>) =>
    openServingPair({
      config: { tlsCertFile: '', tlsPrivateKeyFile: '', certDir: '', ...config },
      host: 'Node1',
      spell: (text) => text,
      nowMs,
      logger: silentLogger,
    });

  it('makes files that only the owner can read the key of, and keeps to them', async () => {
    await using directory = await makeTemporaryDirectory();
    const certDir = join(directory.path, 'pki');
    const made = await open({ certDir });
    expect(await readdir(certDir)).to.deep.equal(['nodeagent.crt', 'nodeagent.key']);
    const modes = await Promise.all(
      ['nodeagent.crt', 'nodeagent.key'].map(async (name) => (await stat(join(certDir, name))).mode & 0o777),
    );
    expect(modes).to.deep.equal([0o644, 0o600]);
    expect(await open({ certDir })).to.deep.equal(made);
    expect(chainOf(made.certificatePem)[0]?.subjectAltName).to.equal('DNS:node1');
    const tlsCertFile = join(certDir, 'nodeagent.crt');
    const tlsPrivateKeyFile = join(certDir, 'nodeagent.key');
    expect(await open({ tlsCertFile, tlsPrivateKeyFile })).to.deep.equal(made);
  });

  it('refuses files that are missing or no pair, and leaves them alone', async () => {
    await using directory = await makeTemporaryDirectory();
    const [one, other] = [join(directory.path, 'one'), join(directory.path, 'other')];
    const [first] = await Promise.all([open({ certDir: one }), open({ certDir: other })]);
    const messageOf = (opening: Promise<unknown>) => opening.then(String, (error: Error) => error.message);
    const tlsCertFile = join(one, 'nodeagent.crt');
    const mixed = open({ tlsCertFile, tlsPrivateKeyFile: join(other, 'nodeagent.key') });
    expect(await messageOf(mixed)).to.include(`read serving certificate ${tlsCertFile}: `);
    const missing = open({ tlsCertFile, tlsPrivateKeyFile: join(directory.path, 'none') });
    expect(await messageOf(missing)).to.include('ENOENT');
    await writeFile(join(one, 'nodeagent.key'), 'garbage');
    expect(await messageOf(open({ certDir: one }))).to.include('read serving certificate');
    expect(await readFile(tlsCertFile, 'utf8')).to.equal(first.certificatePem);
  });
});

describe('tlsSettings', () => {
  it('asks for TLS 1.2 when nothing is said', async () => {
    expect(await tlsSettings({ tlsMinVersion: '', tlsCipherSuites: [] })).to.deep.equal({
      minVersion: 'TLSv1.2',
    });
  });

  it('translates versions and suites', async () => {
    const settings = await tlsSettings({
      tlsMinVersion: 'VersionTLS13',
      tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
    });
    expect(settings).to.deep.equal({
      minVersion: 'TLSv1.3',
      ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256',
    });
  });
});
