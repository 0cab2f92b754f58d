import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { issueCertificate, makeAuthority } from '../../../src/server/pki/index.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer } from '../../support/test-server.ts';

const dayMs = 86_400_000;

/** A certificate with its authority behind it, as the reference server makes one for itself. */
async function makeChain(period: { readonly nowMs: number; readonly lifetimeMs: number }) {
  const authority = await makeAuthority({ commonName: 'machine-ca@1', ...period });
  const subject = { commonName: 'machine@1' };
  const ipAddresses = ['127.0.0.1'];
  const pair = await issueCertificate({ authority, subject, usage: 'server', ipAddresses, ...period });
  return { ...pair, certificatePem: `${pair.certificatePem}${authority.certificatePem}` };
}

describe('the serving certificate of --cert-dir', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());
  const pathOf = (name: string) => join(directory.path, name);

  it('is that of the folder, and the administrator trusts it', async () => {
    const { certificatePem, privateKeyPem } = await makeChain({ nowMs: Date.now(), lifetimeMs: 90 * dayMs });
    await writeFile(pathOf('apiserver.crt'), certificatePem);
    await writeFile(pathOf('apiserver.key'), privateKeyPem);
    const server = await startTestServer({ flags: [`--cert-dir=${directory.path}`] });
    try {
      expect((await server.admin.get('/version')).code).to.equal(200);
      expect(await readFile(pathOf('apiserver.crt'), 'utf8')).to.equal(certificatePem);
    } finally {
      await server.stop();
    }
  });

  const told = [
    { what: 'expires soon', nowMs: Date.now(), lifetimeMs: 20 * dayMs, ageMs: 15 * dayMs },
    { what: 'has expired', nowMs: Date.now(), lifetimeMs: dayMs, ageMs: 2 * dayMs },
  ];
  for (const { what, nowMs, lifetimeMs, ageMs } of told) {
    it(`is told of when it ${what}, and served all the same`, async () => {
      const { certificatePem, privateKeyPem } = await makeChain({ nowMs: nowMs - ageMs, lifetimeMs });
      await writeFile(pathOf('apiserver.crt'), certificatePem);
      await writeFile(pathOf('apiserver.key'), privateKeyPem);
      const logger = createRecordingLogger();
      const server = await startTestServer({ flags: [`--cert-dir=${directory.path}`], logger });
      try {
        const lines = logger.lines.filter(({ fields }) => fields.certificate !== undefined);
        expect(lines.map(({ level, message, fields }) => [level, message, fields.certificate])).to.deep.equal(
          [['error', `certificate ${what}`, 'serving']],
        );
      } finally {
        await server.stop();
      }
    });
  }

  for (const dialect of ['orch', 'kubernetes']) {
    it(`has the reference’s file names where it is made: ${dialect}`, async () => {
      const server = await startTestServer({
        flags: [`--cert-dir=${directory.path}`, `--dialect=${dialect}`],
      });
      try {
        expect(await readFile(pathOf('apiserver.crt'), 'utf8')).to.include('BEGIN CERTIFICATE');
        expect(await readFile(pathOf('apiserver.key'), 'utf8')).to.include('PRIVATE KEY');
      } finally {
        await server.stop();
      }
    });
  }

  it('is not looked at where flags name another', async () => {
    const { certificatePem, privateKeyPem } = await makeChain({ nowMs: Date.now(), lifetimeMs: 90 * dayMs });
    await writeFile(pathOf('own.crt'), certificatePem);
    await writeFile(pathOf('own.key'), privateKeyPem);
    await writeFile(pathOf('apiserver.crt'), 'garbage');
    const flags = [`--tls-cert-file=${pathOf('own.crt')}`, `--tls-private-key-file=${pathOf('own.key')}`];
    const server = await startTestServer({ flags: [`--cert-dir=${directory.path}`, ...flags] });
    try {
      expect((await server.admin.get('/version')).code).to.equal(200);
    } finally {
      await server.stop();
    }
  });
});
