import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { issueCertificate, makeAuthority } from '../../../src/server/pki/index.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer } from '../../support/test-server.ts';

describe('--tls-sni-cert-key', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  const write = async (
    name: string,
    commonName: string,
    dnsNames: readonly string[] = [],
  ): Promise<string> => {
    const period = { nowMs: Date.now(), lifetimeMs: 86_400_000 };
    const authority = await makeAuthority({ commonName: 'names-ca', ...period });
    const subject = { commonName };
    const pair = await issueCertificate({ authority, subject, usage: 'server', dnsNames, ...period });
    const files = [`${name}.crt`, `${name}.key`].map((file) => join(directory.path, file));
    const [certificate = '', key = ''] = files;
    await writeFile(certificate, pair.certificatePem);
    await writeFile(key, pair.privateKeyPem);
    return files.join(',');
  };

  const shown = async (url: string, servername: string): Promise<string> => {
    const port = Number(new URL(url).port);
    const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return String(CN);
  };

  it('is shown for its names, before certificates that only hold them', async () => {
    const flags = [
      `--tls-sni-cert-key=${await write('a', 'a.example', ['b.example', 'c.example'])}`,
      `--tls-sni-cert-key=${await write('b', 'given')}:b.example,*.d.example`,
      `--tls-sni-cert-key=${await write('c', 'c.example')}`,
    ];
    const server = await startTestServer({ flags });
    try {
      const names = ['a.example', 'b.example', 'c.example', 'x.d.example', 'given', 'other.example'];
      const found = await Promise.all(names.map((name) => shown(server.server.url, name)));
      expect(found.slice(0, 4)).to.deep.equal(['a.example', 'given', 'a.example', 'given']);
      expect(new Set(found.slice(4))).to.have.property('size', 1);
      expect(found[4]).not.to.equal('given');
    } finally {
      await server.stop();
    }
  });

  it('says in the log that addresses are no names that clients ask for', async () => {
    const logger = createRecordingLogger();
    const flags = [`--tls-sni-cert-key=${await write('a', 'a.example')}:b.example,192.0.2.1,2001:db8::1`];
    const server = await startTestServer({ flags, logger });
    try {
      const told = logger.lines.find(({ message }) => message.startsWith('--tls-sni-cert-key has no effect'));
      expect(told?.fields).to.deep.include({ addresses: '192.0.2.1,2001:db8::1' });
    } finally {
      await server.stop();
    }
  });
});
