import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { checkKeyPair } from '../../../../src/ctl/create/check-key-pair.ts';
import { makeAuthority } from '../../../../src/server/pki/index.ts';

const pem = { type: 'pkcs8', format: 'pem' } as const;
const ecKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

describe('checkKeyPair', () => {
  let certificate: string;
  let key: string;
  before(async () => {
    const made = await makeAuthority({ commonName: 'test', nowMs: Date.now(), lifetimeMs: 3_600_000 });
    certificate = made.certificatePem;
    key = made.privateKeyPem;
  });

  const refusal = (given: string, ofKey: string): string => {
    try {
      checkKeyPair(Buffer.from(given), Buffer.from(ofKey));
      return '';
    } catch (error) {
      return error instanceof Error ? error.message.replace('failed to load key pair tls: ', '') : '';
    }
  };

  it('takes a certificate with its key, also among other blocks', () => {
    expect(refusal(certificate, key)).to.equal('');
    const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
    const traditional = ecKey().export({ type: 'sec1', format: 'pem' });
    expect(refusal(certificate, parameters + traditional)).to.equal('private key does not match public key');
    expect(refusal(`# leaf\n${certificate}${certificate}`, key)).to.equal('');
  });

  it('refuses what does not belong together, as the release words it', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem).toString();
    const other = ecKey().export(pem).toString();
    const broken = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
    const block = (type: string) => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`;
    expect([
      refusal(certificate, other),
      refusal(certificate, rsa),
      refusal('', key),
      refusal(certificate, 'junk'),
      refusal(key, certificate),
      refusal(block('X'), key),
      refusal(certificate, certificate),
      refusal(certificate, block('X') + block('Y')),
      refusal(certificate, broken),
      refusal(block('CERTIFICATE'), key),
    ]).to.deep.equal([
      'private key does not match public key',
      'private key type does not match public key type',
      'failed to find any PEM data in certificate input',
      'failed to find any PEM data in key input',
      'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
      'failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [X]',
      'found a certificate rather than a key in the PEM for the private key',
      'failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [X Y]',
      'failed to parse private key',
      'failed to parse certificate',
    ]);
  });
});
