import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { areSameCertificates, readSniCertificates } from '../../../src/app/sni-certificates.ts';
import { issueCertificate, makeAuthority } from '../../../src/server/pki/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

describe('readSniCertificates', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  const write = async (commonName: string, dnsNames: readonly string[]): Promise<string> => {
    const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
    const authority = await makeAuthority({ commonName: 'names-ca', ...period });
    const subject = { commonName };
    const pair = await issueCertificate({ authority, subject, usage: 'server', dnsNames, ...period });
    const [certificate, key] = ['crt', 'key'].map((ending) => join(directory.path, `a.${ending}`));
    await writeFile(certificate ?? '', pair.certificatePem);
    await writeFile(key ?? '', pair.privateKeyPem);
    return `${certificate},${key}`;
  };

  it('takes the names of the certificate where no others are given', async () => {
    const files = await write('*.cn.example', ['a.example', '*.b.example']);
    expect([...(await readSniCertificates([files])).keys()]).to.deep.equal([
      '*.cn.example',
      'a.example',
      '*.b.example',
    ]);
    expect([...(await readSniCertificates([`${files}:foo, *.bar`])).keys()]).to.deep.equal(['foo', '*.bar']);
  });

  it('takes no common name that is an address or no name of a host', async () => {
    for (const name of ['10.0.0.1', 'machine@1'])
      expect([...(await readSniCertificates([await write(name, ['a'])])).keys()]).to.deep.equal(['a']);
  });

  it('tells files that were replaced', async () => {
    const flag = `${await write('a', [])}:foo`;
    const before = await readSniCertificates([flag]);
    expect(areSameCertificates(await readSniCertificates([flag]), before)).to.equal(true);
    await write('a', []);
    expect(areSameCertificates(await readSniCertificates([flag]), before)).to.equal(false);
  });
});
